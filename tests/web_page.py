#!/usr/bin/env python3
"""Uses the page of web/build in headless Chromium, beside the command.

    python3 tests/web_page.py PAGE BASEREF [FOLDER]

PAGE is the built index.html, opened from disk. Its rows and its report must be those of BASEREF,
byte for byte; nothing but the page itself may be requested, and nothing could be. With FOLDER it
leaves screenshots there. Waits for events of the browser, never for time to pass. Prints
`N passed, N failed`.
"""

import hashlib
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
    "packed/wrong-checksum-is-a-loss.html.gz",
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


MAIL = """From: "Parcel Service" <info@example.com>
To: you@a.example
Subject: Your parcel
Content-Base: http://mail.example.com/2026/
Content-Type: text/html; charset=utf-8

<base href="https://track.example.com/">
<p>Your parcel waits: <a href="https://www.google.com/url?q=https%3A%2F%2Flogin.example.net%2Fid">https://www.example.com/track</a>
<p><a href="status?id=7">Status</a> <a href="https:/www.example.com/help">Help</a>
<p><a href="mailto:help@example.com">Write to us</a> <a href="javascript:window.pwned=1">x</a>
<p><a href="&quot;&gt;&lt;img src=x onerror=window.pwned=1&gt;">&lt;img src=x onerror=window.pwned=1&gt;</a> <a href="\u202egnp.exe">\u202egnp.exe</a>
"""


def mail(page, checks, folder, shots):
    """What a reader of one suspicious mail sees and does."""
    browser = page.browser
    letter = folder / "parcel.eml"
    letter.write_text(MAIL, encoding="utf-8")
    page.open()
    checks.true("one is asked for files first", browser.run("document.getElementById('results').hidden"))
    browser.screenshot(shots and shots / "start.png")
    page.choose(letter)
    rows = browser.run("[...document.querySelectorAll('.row')].map(row => row.innerText)")
    checks.equal("every link is there", len(rows), 7)
    checks.true("the final target is shown, defanged", "hxxps://login[.]example[.]net/id" in rows[0])
    checks.true("nothing of it is a link", browser.run("document.querySelectorAll('main a, main img').length === 0"))
    checks.true("nothing can be taken for a URL", not any(re.search("https?:/", row) for row in rows))
    checks.true("text cannot turn the order of the page around", "\u202e" not in browser.run("document.body.innerText"))
    proof = browser.run("document.getElementById('proof').innerText")
    for part in ["track[.]example[.]com", "taken", "inner-taken", "mail[.]example[.]com", "an inner layer gave the base"]:
        checks.true(f"the proof of the base has {part}", part in proof)
    checks.true("what text and target disagree on is said", browser.run(
        "findingsOf(state.links.row(0)).some(finding => finding.rule.startsWith('mail/'))"))
    browser.run("document.getElementById('list').focus()")
    browser.key("ArrowDown")
    checks.equal("arrow keys move in the list", browser.run("document.getElementById('list').getAttribute('aria-activedescendant')"), "row-0")
    browser.key("Enter")
    detail = browser.run("document.getElementById('detail').innerText")
    for part in ["hxxps://www[.]google[.]com/url", "hxxps://login[.]example[.]net/id", "google", "line 2", "in the document"]:
        checks.true(f"details have {part}", part in detail)
    checks.true("details have what the audit says", "WHAT THE AUDIT SAYS" in detail)
    browser.screenshot(shots and shots / "mail.png")
    browser.key("Escape")
    checks.true("Escape closes the details", browser.run("document.getElementById('detail').hidden"))
    checks.equal("and leads back to the list", browser.run("document.activeElement.id"), "list")
    browser.key("End")
    checks.equal("End goes to the last", browser.run("list.active"), 6)

    search = "(() => { const q = document.getElementById('q'); q.value = WHAT; q.dispatchEvent(new Event('input')) })()"
    browser.run(search.replace("WHAT", "'hxxps://LOGIN[.]example'"))
    checks.equal("what is shown can be searched, behind its wrapper", browser.run(FOUND), 1)
    browser.run(search.replace("WHAT", "''"))
    for only, count in {"web": 5, "wrapped": 1, "elsewhere": 1, "error": 0}.items():
        browser.run(f"(() => {{ const o = document.getElementById('only'); o.value = '{only}'; o.dispatchEvent(new Event('change')) }})()")
        checks.equal(f"only `{only}`", browser.run(FOUND), count)
    browser.run("(() => { const o = document.getElementById('only'); o.value = 'elsewhere'; o.dispatchEvent(new Event('change')) })()")
    browser.run(FOUND)
    chosen = saved(browser, "jsonl")
    checks.true("those that pass are saved", chosen.count("\n") == 1 and "https:/www.example.com/help" in chosen)
    table = saved(browser, "csv")
    checks.true("as a table, too, under its head", table.startswith("doc,") and "Help" in table and "Status" not in table)
    browser.run("(() => { const o = document.getElementById('only'); o.value = ''; o.dispatchEvent(new Event('change')) })()")
    browser.run("document.getElementById('defang').click()")
    checks.true("it is written as it stands when asked for", "https://login.example.net/id" in browser.run("document.querySelector('.row').innerText"))
    checks.true("and is no link even then", browser.run("document.querySelectorAll('main a').length === 0"))
    browser.run("document.getElementById('defang').click()")

    browser.run("document.getElementById('view-links').focus()")
    browser.key("ArrowRight")
    checks.equal("arrow keys change the view", browser.run("[state.view, document.activeElement.id]"), ["bases", "view-bases"])
    browser.key("ArrowRight")
    checks.equal("the report is the next", browser.run("[state.view, document.querySelectorAll('#audit iframe').length]"), ["audit", 1])
    browser.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    browser.screenshot(shots and shots / "audit.png")
    browser.run("view('links'); 0")
    checks.equal("the document says which command it was", browser.run("document.getElementById('command').textContent"), "baseref links -f jsonl parcel.eml")
    named = browser.run("""[...document.querySelectorAll('button, input, select, textarea, [role=listbox], iframe, progress')].filter(e => e.offsetParent &&
        !(e.textContent.trim() || e.labels?.length || e.getAttribute('aria-label') || e.title)).length""")
    checks.equal("every control has a name", named, 0)
    checks.equal("no script of the input ran", browser.run("typeof window.pwned"), "undefined")
    checks.equal("nothing went wrong on the way", trouble(browser), [])
    browser.run("document.getElementById('source').value = '<base href=\"http://a/b/\"><a href=c>x</a>'; delete document.body.dataset.ended; document.getElementById('read-source').click(); 0")
    browser.run(FINISHED)
    checks.true("source can be pasted", '"url":"http://a/b/c"' in saved(browser, "jsonl"))
    pasted = """(() => { const data = new DataTransfer(); data.setData('text/plain', 'Look here'); data.setData('text/html', '<p><a href="http://a.example/x">Look here</a>');
        delete document.body.dataset.ended; document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true})) })()"""
    browser.run(pasted)
    browser.run(FINISHED)
    checks.true("of copied text the markup is read", '"url":"http://a.example/x"' in saved(browser, "jsonl"))
    dropped = """(() => { const data = new DataTransfer(); data.items.add(new File(['<a href="http://a.example/y">y</a>'], 'y.html'));
        delete document.body.dataset.ended; document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true})) })()"""
    browser.run(dropped)
    browser.run(FINISHED)
    checks.true("what is dropped is read", '"url":"http://a.example/y"' in saved(browser, "jsonl"))


FOUND = "new Promise(done => { const look = () => !state.filter || state.filter.next >= state.links.count ? done(state.filter ? state.filter.found.length : state.links.count) : setTimeout(look, 10); look(); })"


def looks(page, checks, folder, shots):
    """A phone, the dark, a printer."""
    browser = page.browser
    letter = folder / "parcel.eml"
    letter.write_text(MAIL, encoding="utf-8")
    browser.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=True)
    page.open()
    checks.true("the page fits on a phone", browser.run("document.documentElement.scrollWidth <= 390"))
    page.choose(letter)
    for view in ["links", "bases", "audit"]:
        browser.run(f"view('{view}'); 0")
        checks.true(f"{view} fit on a phone", browser.run("document.documentElement.scrollWidth <= 390"))
    browser.run("view('links'); list.go(0, true); 0")
    checks.true("details cover the screen of a phone", browser.run(
        "(() => { const box = document.getElementById('detail').getBoundingClientRect(); return box.width === 390 && box.top === 0 })()"))
    browser.screenshot(shots and shots / "phone.png")
    wide(browser)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    checks.true("the dark is dark", browser.run("getComputedStyle(document.documentElement).backgroundColor") != "rgb(255, 255, 255)")
    for media, features in [("screen", "dark"), ("screen", "light")]:
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": features}])
        checks.equal(f"text has contrast in the {features}", browser.run(CONTRAST), [])
    browser.call("Emulation.setEmulatedMedia", features=[])
    browser.run("dispatchEvent(new Event('beforeprint'))")
    checks.true("every row is printed", browser.run("document.querySelectorAll('#print > div').length === 7"))
    browser.run("dispatchEvent(new Event('afterprint'))")


# Texts whose contrast with what is behind them is below 4.5 to 1 (WCAG 2.2, 1.4.3).
CONTRAST = """(() => {
    const parts = color => color.match(/[0-9.]+/g).map(Number);
    const light = color => { const [r, g, b] = parts(color).map(v => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4 }); return 0.2126 * r + 0.7152 * g + 0.0722 * b };
    const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; const p = parts(c); if (p.length < 4 || p[3] > 0.99) return c } return 'rgb(255,255,255)' };
    const low = new Set();
    for (const e of document.querySelectorAll('body *')) {
        if (!e.offsetParent || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || ['SCRIPT', 'STYLE', 'OPTION'].includes(e.tagName)) continue;
        const [a, b] = [light(getComputedStyle(e).color), light(behind(e))].sort((x, y) => y - x);
        if ((a + 0.05) / (b + 0.05) < 4.5) low.add(e.tagName + '.' + e.className);
    }
    return [...low] })()"""


def wide(browser):
    browser.call("Emulation.setDeviceMetricsOverride", width=1280, height=1000, deviceScaleFactor=1, mobile=False)


def mailbox(path, size):
    """Writes a mailbox of so many bytes; gives the number of its links."""
    links = 0
    filler = "<p>" + "All work and no play makes a dull page. " * 40
    with open(path, "w") as out:
        number = 0
        while out.tell() < size:
            number += 1
            out.write(f"From a@a.example Fri Jan 27 10:00:00 2017\nFrom: a@a.example\nTo: b@b.example\nSubject: {number}\n"
                      f"MIME-Version: 1.0\nContent-Type: text/html\nContent-Base: http://a.example/{number}/\n\n")
            for link in range(5):
                out.write(f'{filler}\n<a href="page{link}.html?message={number}">link {link}</a>\n')
                links += 1
            out.write("\n")
    return links


def large(page, checks, binary, folder):
    """A mailbox of 100 MB: the page goes on living, shows how far it is, and can be stopped."""
    browser = page.browser
    box = folder / "large.mbox"
    links = mailbox(box, LARGE)
    page.open()
    started = time.monotonic()
    browser.run("""window.turns = 0; window.shares = []; (function turn() { turns++; shares.push(document.getElementById('progress').value); setTimeout(turn, 50) })(); 0""")
    checks.equal("a large mailbox is read", page.choose(box), "done")
    took = time.monotonic() - started
    checks.equal("every link of it is there", browser.run("state.links.count"), links)
    turns, shares = browser.run("[turns, new Set(shares.map(share => Math.floor(share * 10))).size]")
    print(f"{LARGE / 1e6:.0f} MB of mail, {links} links and their bases: {took:.1f} s; the page had {turns} turns meanwhile")
    checks.true("the page was not blocked, and progress was shown", turns > 20 and shares > 5)
    checks.equal("the last row is the last link", browser.run(f"state.links.row({links - 1}).raw.split('?')[0]"), "page4.html")
    browser.run("document.getElementById('list').focus(); 0")
    browser.key("End")
    checks.equal("one can go there", browser.run("[list.active, document.querySelector('.row.active') !== null]"), [links - 1, True])
    checks.true("only rows in sight are drawn", browser.run("document.querySelectorAll('.row').length < 100"))
    browser.run("(() => { const q = document.getElementById('q'); q.value = 'message=77\"'; q.value = 'page3.html?message=77'; q.dispatchEvent(new Event('input')) })()")
    found = browser.run(FOUND)
    checks.true(f"a search goes through all: {found}", found > 0)
    checks.true("an audit of so much is asked for first", browser.run("view('audit'), document.getElementById('start-audit') !== null"))
    rows = command(binary, folder, "links", "-f", "jsonl", "large.mbox")
    checks.equal("the rows are those of the command", browser.run("new Blob(state.links.pieces()).text().then(text => text.length)"), len(rows))
    checks.equal("to the last byte", browser.run(
        "new Blob(state.links.pieces()).arrayBuffer().then(b => crypto.subtle ? crypto.subtle.digest('SHA-256', b) : null).then(d => d && [...new Uint8Array(d)].map(b => b.toString(16).padStart(2, '0')).join(''))"),
        hashlib.sha256(rows.encode()).hexdigest())

    # Cancelled as soon as it has shown links.
    page.open()
    page.choose(box, wait=False)
    browser.run("new Promise(done => { const look = () => state?.links.count ? done() : setTimeout(look, 5); look(); })")
    browser.key("Escape")
    checks.equal("Escape cancels", browser.run(FINISHED), "cancelled")
    kept = browser.run("state.links.count")
    checks.true(f"what was there stays: {kept} of {links}", 0 < kept < links)
    checks.true("and it is said", "cancelled" in browser.run("document.getElementById('count').textContent"))


def faults(page, checks, binary, folder):
    """A fault costs the message that it was in; a file that is gone is said."""
    browser = page.browser
    box = folder / "small.mbox"
    mailbox(box, 20_000)
    rows = command(binary, folder, "links", "-f", "jsonl", "small.mbox").splitlines(keepends=True)
    page.open()
    browser.run("const asIs = request; request = (want, more) => asIs(want, {...more, ...(want === 'links' ? {panicAt: 2} : {})}); 0")
    checks.equal("a panic does not end the reading", page.choose(box), "done")
    expected = "".join(row for row in rows if '"doc":"small.mbox#2' not in row)
    checks.equal("it costs the message that it was in", saved(browser, "jsonl"), expected)
    said = browser.run("state.troubles")
    checks.true(f"and it is said: {said}", len(said) == 1 and said[0]["code"] == "fault" and said[0]["loss"]
                and said[0]["doc"] == "small.mbox#2" and "please report it" in said[0]["text"])
    checks.true("in a view of its own", browser.run("document.getElementById('view-troubles') !== null"))
    page.open()
    # Between the choice and the reading it is taken away.
    browser.run("const reading = carryOut; carryOut = async (...all) => { await new Promise(done => { window.goOn = done }); return reading(...all) }; 0")
    gone = folder / "gone.html"
    gone.write_text("<a href=x>")
    page.choose(gone, wait=False)
    browser.run("new Promise(done => { const look = () => window.goOn ? done() : setTimeout(look, 5); look(); })")
    gone.unlink()
    browser.run("carryOut = reading; goOn(); 0")
    browser.run(FINISHED)
    checks.true("a file that is gone is said", "can no longer" in browser.run("JSON.stringify(state.troubles)"))
    for kind, text in [("text", b"\0\1\2" * 50), ("none", b"")]:
        odd = folder / f"odd-{kind}"
        odd.write_bytes(text)
        page.open()
        page.choose(odd)
        checks.true(f"a file of no known format ({kind}) is no end of the page", browser.run("state.links.count === 0"))


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
        wide(browser)
        try:
            opened = Page(browser, page)
            kinds(opened, checks, binary, folder)
            trees(opened, checks, binary, folder)
            network(opened, checks, folder)
            mail(opened, checks, folder, shots)
            looks(opened, checks, folder, shots)
            faults(opened, checks, binary, folder)
            large(opened, checks, binary, folder)
        finally:
            browser.close()
    print(f"{checks.passed} passed, {checks.failed} failed")
    sys.exit(checks.failed > 0)


if __name__ == "__main__":
    main()
