#!/usr/bin/env python3
"""Records what Chromium asks for: the judge of which resources an archive may lack.

    python3 tests/requests.py [--renew]

Each line of fixtures/requests/cases.jsonl is a page, the texts of its style sheets and frames, and
what Chromium requested for it: with one dot per pixel (`asked`), with two (`dense`), and without
scripts (`unscripted`). Without --renew, fails where Chromium no longer asks for the same. Where an
audit answers otherwise, `departs` says so, and why: tests/runs/requests.rs holds audits to the rest.
Icons are left out, since Chromium asks for those of a site only once.
"""

import http.server
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import threading
import zlib

from browser import Browser

CASES = pathlib.Path(__file__).resolve().parent.parent / "fixtures/requests/cases.jsonl"
TYPES = {
    "html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml",
    "png": "image/png", "jpg": "image/jpeg", "webp": "image/webp", "jxl": "image/jxl",
    "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "webm": "video/webm",
    "mp4": "video/mp4", "mp3": "audio/mpeg", "ogg": "audio/ogg", "wav": "audio/wav",
    "vtt": "text/vtt", "json": "application/json",
}
SETTINGS = {"asked": (1, False), "dense": (2, False), "unscripted": (1, True)}


def image():
    """A picture of one pixel."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    data = zlib.compress(b"\0\0\0\0")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def sound():
    """Some silence."""
    samples = bytes(800)
    form = struct.pack("<HHIIHH", 1, 1, 8000, 8000, 1, 8)
    parts = b"fmt " + struct.pack("<I", len(form)) + form
    parts += b"data" + struct.pack("<I", len(samples)) + samples
    return b"RIFF" + struct.pack("<I", 4 + len(parts)) + b"WAVE" + parts


def font():
    file = subprocess.run(["fc-match", "-f", "%{file}", "sans"], capture_output=True, check=True)
    return pathlib.Path(file.stdout.decode()).read_bytes()


class Site(http.server.BaseHTTPRequestHandler):
    files, asked, bodies = {}, set(), {}

    def do_GET(self):
        name = self.path.lstrip("/")
        file = name.split("?")[0]
        kind = TYPES.get(file.rpartition(".")[2], "application/octet-stream")
        if name != "favicon.ico":
            Site.asked.add(name)
        body = Site.files.get(file)
        if body is None:
            body = Site.bodies.get(kind.split("/")[0], b"") if kind != "image/svg+xml" else (
                b'<svg xmlns="http://www.w3.org/2000/svg"><g id="a"/></svg>')
        else:
            body = body.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def requested(browser, address, case, dots, is_unscripted):
    """What Chromium asks for, without the page itself."""
    browser.call("Emulation.setDeviceMetricsOverride", width=1000, height=20000,
                 deviceScaleFactor=dots, mobile=False)
    browser.call("Emulation.setScriptExecutionDisabled", value=is_unscripted)
    browser.navigate("about:blank")
    browser.events.clear()
    Site.files, Site.asked = {"page.html": case["page"], **case.get("files", {})}, set()
    opened = browser.call("Page.navigate", url=f"{address}/page.html")
    # Nothing was asked for during half a second.
    browser.wait("Page.lifecycleEvent", name="networkIdle", loaderId=opened["loaderId"])
    return sorted(Site.asked - {"page.html"})


def main():
    is_renewed = "--renew" in sys.argv
    lines = CASES.read_text().splitlines()
    cases = [json.loads(line) for line in lines if line]
    audio = sound()
    Site.bodies = {"image": image(), "audio": audio, "video": audio, "font": font(), "text": b""}
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    wrong = 0
    with tempfile.TemporaryDirectory() as profile:
        # What a browser asks for ahead, it asks for by the tags alone.
        browser = Browser(profile, "--blink-settings=doHtmlPreloadScanning=false")
        browser.call("Network.setCacheDisabled", cacheDisabled=True)
        for case in cases:
            for name, (dots, is_unscripted) in SETTINGS.items():
                found = requested(browser, address, case, dots, is_unscripted)
                if not is_renewed and case.get(name) != found:
                    wrong += 1
                    print(f"{case['case']}, {name}: {found}, recorded: {case.get(name)}")
                case[name] = found
        browser.close()
    if is_renewed:
        CASES.write_text("".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases))
    print(f"{len(cases)} pages, {wrong} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
