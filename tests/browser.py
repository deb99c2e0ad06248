"""Chromium without a window, for the scripts that open our pages in it. Waits for events of the
browser, never for time to pass."""

import base64
import json
import os
import select
import subprocess

PATIENCE = 120


class Browser:
    """Chromium, spoken to over a pipe (the DevTools protocol), one page at a time."""

    def __init__(self, profile, *more):
        command_read, command_write = os.pipe()
        answer_read, answer_write = os.pipe()

        def pipes():
            # Through numbers that neither of the two can have yet.
            os.dup2(command_read, 103)
            os.dup2(answer_write, 104)
            os.dup2(103, 3)
            os.dup2(104, 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--hide-scrollbars", f"--user-data-dir={profile}", "--remote-debugging-pipe", *more],
            preexec_fn=pipes, close_fds=False, stderr=subprocess.DEVNULL)
        os.close(command_read)
        os.close(answer_write)
        self.write, self.read = command_write, os.fdopen(answer_read, "rb")
        self.number, self.events, self.session, self.buffer = 0, [], None, b""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)

    def message(self):
        while b"\0" not in self.buffer:
            # An event that never comes is a failure with a name, not a run without an end.
            if not select.select([self.read], [], [], PATIENCE)[0]:
                raise TimeoutError(f"Chromium has said nothing for {PATIENCE} s")
            piece = os.read(self.read.fileno(), 1 << 20)
            if not piece:
                raise EOFError("Chromium went away")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.write, data):]
        while True:
            message = self.message()
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def wait(self, method, **parameters):
        """The first event of this name that has these parameters."""
        while True:
            for place, event in enumerate(self.events):
                if event.get("method") == method and parameters.items() <= event["params"].items():
                    return self.events.pop(place)
            self.events.append(self.message())

    def navigate(self, address):
        """Goes there, and waits until this very document is loaded, whatever loaded before it."""
        opened = self.call("Page.navigate", url=address)
        if "errorText" in opened:
            raise SystemExit(f"{address}: {opened['errorText']}")
        self.wait("Page.lifecycleEvent", name="load", loaderId=opened["loaderId"])

    def open(self, path, address=""):
        # By way of an empty page, since another fragment alone would load nothing.
        self.navigate("about:blank")
        self.events.clear()
        self.navigate(path.as_uri() + address)

    def run(self, script):
        """The value of a script, a promise awaited."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def follow(self, do, what):
        """Does something that changes the address, and waits until the page has followed."""
        self.run("window.followed = new Promise(done => addEventListener('hashchange', () => done(), {once: true})); 0")
        do(what)
        self.run("window.followed")

    def act(self, script):
        self.follow(self.run, script)

    def act_by_key(self, key):
        self.follow(self.key, key)

    def key(self, key):
        codes = {"Tab": 9, "ArrowDown": 40, "ArrowRight": 39, "Enter": 13, "Escape": 27, "End": 35}
        for kind in ["keyDown", "keyUp"]:
            more = {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode=codes[key], **more)

    def trouble(self):
        """What the console said, and what was fetched besides the page itself."""
        said = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method in ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled"):
                said.append(json.dumps(parameters)[:400])
            if method == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                if not url.startswith(("file:", "about:", "data:")) or parameters.get("type") != "Document":
                    said.append(f"fetched {url}")
        return said

    def screenshot(self, path):
        if path:
            data = self.call("Page.captureScreenshot", format="png")["data"]
            path.write_bytes(base64.b64decode(data))

    def close(self):
        self.call("Browser.close")
        self.process.wait()
