#!/usr/bin/env python3
"""Opens the HTML page of `baseref audit` in headless Chromium and uses it.

    python3 tests/html_page.py BASEREF [FOLDER]

Makes a tree with broken links that it counts and with hostile names, has BASEREF audit it,
and looks at the page as a reader would: totals, causes, folders, filters, details, keyboard,
messages as cards, a phone, the dark, a printer. With FOLDER it leaves the pages and screenshots there.
Waits for events of the browser, never for time to pass. Prints `N passed, N failed`.
"""

import base64
import csv
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from browser import Browser
from checks import Checks

LARGE = 100_000
HOSTILE = [
    '"><img src=x onerror=window.pwned=1>',
    "</script><script>window.pwned=1</script>",
    "javascript:window.pwned=1",
    "\u202egnp.exe",
    "{{constructor.constructor('window.pwned=1')()}}",
    "<svg onload=window.pwned=1>",
    "&lt;b&gt;&#x3c;i&#x3e;",
]


def escape(text):
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def plant(root, folders, documents, broken, hostile):
    """A tree; gives back how many links of it lead nowhere."""
    planted = 0
    for f in range(folders):
        folder = root / f"part{f}" / "chapter"
        folder.mkdir(parents=True)
        for d in range(documents):
            lines = ["<!DOCTYPE html><meta charset=utf-8><title>t</title>", f'<p><a href="doc{d}.html">itself</a>']
            for b in range(broken):
                lines.append(f'<p>See <a class=ref href="../gone/missing{(d * broken + b) % 997}.html">it</a> for more')
                planted += 1
            (folder / f"doc{d}.html").write_text("\n".join(lines))
    lines = ["<!DOCTYPE html><meta charset=utf-8><title>t</title>"]
    for text in hostile:
        name = text.replace("/", "")
        if text.startswith("javascript:"):
            lines.append(f'<a href="{escape(text)}">x</a>')
            continue
        lines.append(f'<a href="{escape(name)}">x</a>')
        planted += 1
    name = "<img src=x onerror=window.pwned=1>.html" if hostile else "index.html"
    (root / name).write_text("\n".join(lines))
    return planted


WRAPPED = "https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fevil.example.net%2Fx&data=05"
MESSAGES = [
    ("Nothing to see", "<a href=https://www.example.org/>www.example.org</a>"),
    ("Pictures", "<img src=https://img.example.org/a.png><a href=https://bit.ly/x>offer</a>"),
    (HOSTILE[0], f"<a href='{WRAPPED}'>www.iana.org</a><a href=https://www.example.org/><b>plain</b></a>"),
]


def plant_messages(root):
    """A mailbox: a message without findings, one with notes, and a hostile one that deceives."""
    root.mkdir()
    fields = "From news Mon Jan  5 09:00:00 2026\nFrom: News <news@example.org>\nDate: Mon, 05 Jan 2026 09:00:00 +0000\n"
    made = [f"{fields}Subject: {subject}\nContent-Type: text/html\n\n{body}\n\n" for subject, body in MESSAGES]
    (root / "box.mbox").write_text("".join(made))


def audit(binary, tree, page, *options):
    done = subprocess.run([binary, "audit", ".", "-o", os.devnull, "--out", f"html={page}", *options],
                          cwd=tree, capture_output=True, text=True)
    if done.returncode != 1:
        raise SystemExit(f"baseref audit ended with {done.returncode}: {done.stderr}")
    return page


SHOWN = "[...document.querySelectorAll('.row')].map(row => row.textContent)"
COUNT = "document.getElementById('count').textContent"


def wide(browser):
    browser.call("Emulation.setDeviceMetricsOverride", width=1280, height=900, deviceScaleFactor=1, mobile=False)


def small_page(browser, checks, page, planted, shots):
    browser.open(page)
    checks.equal("the page opens without trouble", browser.trouble(), [])
    checks.equal("every planted link is a finding", browser.run(COUNT), f"{planted} findings")
    sums = browser.run("""(() => { const d = JSON.parse(document.getElementById('data').textContent);
        return [Object.values(d.summary.classes).reduce((a, b) => a + b), d.summary.links,
                d.summary.findings.error.new, d.count] })()""")
    checks.equal("the classes add up to the links", sums[0], sums[1])
    checks.equal("the errors counted are those listed", sums[2], sums[3])
    legend = browser.run("[...document.querySelectorAll('.legend .num')].map(n => Number(n.textContent.replace(/,/g, '')))")
    checks.equal("the legend adds up to the links", sum(legend), sums[1])
    causes = browser.run("[...document.querySelectorAll('.row .num')].map(n => parseInt(n.textContent.replace(/,/g, '')))")
    checks.equal("causes come by how many links they break", causes, sorted(causes, reverse=True))
    browser.screenshot(shots and shots / "causes.png")

    browser.act("document.querySelector('[data-view=folders]').click()")
    folders = browser.run(SHOWN)
    checks.true("folders are listed with what is broken in them",
                any("part0/" in row and "errors" in row for row in folders))
    browser.screenshot(shots and shots / "folders.png")
    browser.act("[...document.querySelectorAll('.row')].find(row => row.textContent.includes('part0/')).click()")
    checks.true("one can walk into a folder", browser.run("location.hash.includes('dir=')"))
    inside = browser.run(SHOWN)
    checks.true("and sees its documents", any("doc0.html" in row for row in inside))
    browser.act("document.querySelector('#crumbs button').click()")
    checks.true("and comes back by the path above", any("part1/" in row for row in browser.run(SHOWN)))
    browser.act("document.querySelector('[data-view=findings]').click()")
    browser.screenshot(shots and shots / "findings.png")

    browser.run("(() => { const q = document.getElementById('q'); q.value = 'MISSING7.html'; q.dispatchEvent(new Event('input')) })()")
    rows = browser.run(SHOWN)
    checks.true("search finds by URL, whatever the case", rows and all("missing7.html" in row for row in rows))
    said, address = browser.run(COUNT), browser.run("location.hash")
    browser.open(page, address)
    checks.equal("an address shows what it showed", (browser.run(COUNT), browser.run("document.getElementById('q').value")),
                 (said, "MISSING7.html"))
    browser.act("document.getElementById('clear').click()")
    browser.run("(() => { const doc = document.getElementById('doc'); doc.value = 'part1/'; doc.dispatchEvent(new Event('input')) })()")
    rows = browser.run(SHOWN)
    checks.true("documents are found by a part of their path", rows and all("part1/" in row for row in rows))
    browser.act("document.getElementById('clear').click()")
    browser.act("(() => { const r = document.getElementById('rule'); r.value = r.options[1].value; r.dispatchEvent(new Event('change')) })()")
    rule = browser.run("document.getElementById('rule').selectedOptions[0].textContent.replace(/ \\([0-9,]+\\)$/, '')")
    checks.true("a rule can be chosen, by its sentence", "/" not in rule and all(rule in row for row in browser.run(SHOWN)))
    checks.equal("its id is still in the address", browser.run("location.hash.includes('rule=target%2F')"), True)
    checks.true("what is left out is said, with a way back", browser.run(
        "document.getElementById('narrowed').innerText.includes('Show all') && !document.getElementById('narrowed').hidden"))
    browser.act("document.getElementById('clear').click()")
    checks.true("and the way back leads to everything", browser.run("document.getElementById('narrowed').hidden"))
    browser.act("document.querySelector('#levels input').click()")
    checks.true("a severity can be left out", browser.run(COUNT).startswith("0 of "))
    browser.act("document.getElementById('clear').click()")

    browser.run("document.getElementById('list').focus()")
    browser.key("ArrowDown")
    active = browser.run("document.getElementById('list').getAttribute('aria-activedescendant')")
    checks.equal("arrow keys move in the list", active, "row-1")
    browser.act_by_key("Enter")
    detail = browser.run("document.getElementById('detail').textContent")
    for part in ["Source, line", "Base", "The rule", "target/missing-file"]:
        checks.true(f"details have {part}", part in detail)
    checks.true("resolutions that agree are not listed", "RFC 3986" not in detail)
    checks.true("the value is marked in its line", browser.run("document.querySelector('#detail mark').textContent"))
    checks.true("code is shown as code, not between backticks", "`" not in detail)
    browser.screenshot(shots and shots / "detail.png")
    browser.act_by_key("Escape")
    checks.true("Escape closes the details", browser.run("document.getElementById('detail').hidden"))
    browser.key("End")
    last = browser.run("document.getElementById('list').getAttribute('aria-activedescendant')")
    checks.equal("End goes to the last one", last, f"row-{planted - 1}")
    explained(browser, checks)
    keyboard(browser, checks, page)
    exported(browser, checks, page, planted)
    in_sight(browser, checks, page, planted)
    named = browser.run("""[...document.querySelectorAll('button, input, select')].filter(e => e.offsetParent &&
        !(e.textContent.trim() || e.labels?.length || e.getAttribute('aria-label'))).length""")
    checks.equal("every control has a name", named, 0)
    checks.equal("nothing went wrong on the way", browser.trouble(), [])


def keyboard(browser, checks, page):
    browser.open(page)
    browser.key("ArrowDown")
    checks.equal("arrow keys work at once", browser.run("document.getElementById('list').getAttribute('aria-activedescendant')"), "row-1")
    browser.open(page)
    stops = 0
    while stops < 20 and browser.run("document.activeElement.id") != "list":
        browser.key("Tab")
        stops += 1
    checks.true(f"the list is at most six Tab stops away: {stops}", stops <= 6)
    browser.run("document.querySelector('#views button[tabindex=\"0\"]').focus()")
    browser.key("ArrowRight")
    checks.equal("arrow keys move among the views", browser.run("document.activeElement.dataset.view"), "folders")


def explained(browser, checks):
    browser.run("document.querySelector('.legend .term').focus()")
    tip = browser.run("getComputedStyle(document.querySelector('.legend .term'), '::after').content")
    checks.true("a word is explained when it has the focus", tip.startswith('"') and len(tip) > 10)
    checks.true("and to those who hear the page", browser.run(
        "[...document.querySelectorAll('.term')].every(t => t.getAttribute('aria-label').length > t.textContent.length + 5)"))


def exported(browser, checks, page, planted):
    """What the button would save, read with a reader of CSV."""
    browser.open(page, "#view=findings")
    text = browser.run("""(async () => { let saved; const make = URL.createObjectURL;
        URL.createObjectURL = blob => { saved = blob; return make.call(URL, blob); };
        document.getElementById('export').click(); URL.createObjectURL = make; return await saved.text() })()""")
    rows = list(csv.DictReader(io.StringIO(text.lstrip("\ufeff"), newline="")))
    checks.equal("the list is saved as CSV, a row for each finding", len(rows), planted)
    checks.equal("with its rule by id", {row["rule"] for row in rows}, {"target/missing-file"})
    checks.true("and nothing that a spreadsheet takes for a formula",
                not any(value.startswith(("=", "+", "-", "@")) for row in rows for value in row.values()))


def in_sight(browser, checks, page, planted):
    """Wherever one comes from, the chosen row is between the bar and the end of the window."""
    for at in [0, planted // 2, planted - 1]:
        browser.open(page, f"#view=findings&at={at}")
        where = browser.run("""(() => { const row = document.querySelector('.row.active').getBoundingClientRect();
            return [row.top - document.getElementById('controls').getBoundingClientRect().bottom, innerHeight - row.bottom] })()""")
        checks.true(f"row {at} is in sight: {where}", min(where) >= -1)


def hostile_page(browser, checks, page):
    for view in ["causes", "folders", "findings"]:
        browser.open(page, f"#view={view}" if view == "folders" else f"#view={view}&q=pwned")
        checks.true(f"{view}: names are shown as text", "<img src=x onerror=window.pwned=1>" in browser.run("document.body.innerText"))
        for k in range(int(browser.run("document.querySelectorAll('.row').length")) if view == "findings" else 0):
            browser.act(f"document.querySelectorAll('.row')[{k}].click()")
        checks.equal(f"{view}: no script of the input ran", browser.run("typeof window.pwned"), "undefined")
        checks.equal(f"{view}: nothing of the input is markup or a link",
                     browser.run("document.querySelectorAll('a, img, svg, iframe, object, script:not(#data)').length"), 1)
        checks.equal(f"{view}: no trouble", browser.trouble(), [])
    browser.open(page, "#view=findings&q=gnp")
    checks.true("text cannot turn the order of the page around", "\u202e" not in browser.run("document.body.innerText"))
    browser.open(page, "#view=<img>&at=999999999&rule=nothing&level=loud&dir=../..")
    checks.equal("an address that makes no sense does no harm", browser.trouble(), [])
    refused = browser.run("""(() => { try { document.body.innerHTML = '<b>'; return false } catch (e) { return true } })()""")
    checks.true("the browser itself would refuse markup from a script", refused)


def live_page(browser, checks, page):
    browser.open(page, "#view=findings&at=0")
    links = browser.run("[...document.querySelectorAll('a')].map(a => [a.protocol, a.rel])")
    checks.true("live links are there if asked for", links)
    checks.true("and lead to the web alone, without a referrer",
                all(p in ("http:", "https:") and "noreferrer" in rel for p, rel in links))


def messages_page(browser, checks, page, shots):
    wide(browser)
    browser.open(page)
    browser.act("document.querySelector('[data-view=messages]').click()")
    rows = browser.run(SHOWN)
    checks.equal("only messages with findings are listed", len(rows), 2)
    checks.true("the worst first, its subject as text", "<img src=x onerror=" in rows[0] and "Pictures" in rows[1])
    checks.true("each with its sender, date and findings",
                all(part in rows[0] for part in ["news[@]example[.]org", "2026-01-05", "finding", "2 links"]))
    browser.screenshot(shots and shots / "messages.png")
    browser.run("document.getElementById('list').focus()")
    browser.act_by_key("Enter")
    detail = "document.getElementById('detail').innerText"
    card = browser.run(detail)
    for part in ["www[.]iana[.]org", "hxxps://evil[.]example[.]net/x", "through safelinks", "news[@]example[.]org", "box.mbox#3"]:
        checks.true(f"the card has {part}", part in card)
    checks.true("no address in it is whole", "https://" not in card)
    checks.equal("nothing in it is a link, markup or a script that ran", browser.run(
        "document.querySelectorAll('#detail a, #detail img, #detail b').length + (typeof window.pwned)"), "0undefined")
    browser.screenshot(shots and shots / "message.png")
    browser.open(page, browser.run("location.hash"))
    checks.equal("its address shows it again", browser.run(detail), card)
    browser.act("[...document.querySelectorAll('#detail button')].find(b => b.textContent === 'List them').click()")
    listed = browser.run(SHOWN)
    checks.true("its findings can be listed", listed and browser.run("location.hash.includes('view=findings')"))
    checks.equal("and are no other message's", browser.run("document.getElementById('doc').value").endswith("box.mbox#3"), True)
    browser.act("document.querySelector('.row').click()")
    browser.act("[...document.querySelectorAll('#detail button')].find(b => b.textContent === 'Show its links').click()")
    checks.equal("a finding leads back to its message", browser.run(detail), card)
    browser.act("document.getElementById('clear').click()")
    browser.act("document.querySelector('#levels input').click()")
    checks.equal("filters choose messages, too", ["Pictures" in row for row in browser.run(SHOWN)], [True])
    browser.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=True)
    browser.open(page, "#view=messages&at=m0")
    checks.true("a card fits on a phone", browser.run("document.documentElement.scrollWidth <= 390"))
    browser.screenshot(shots and shots / "phone-message.png")
    wide(browser)
    checks.equal("no trouble with messages", browser.trouble(), [])


def narrow_and_dark(browser, checks, page, shots):
    browser.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=True)
    for view, address in [("causes", ""), ("folders", "#view=folders"), ("findings", "#view=findings"), ("detail", "#view=findings&at=0")]:
        browser.open(page, address)
        checks.true(f"{view} fits on a phone", browser.run("document.documentElement.scrollWidth <= 390"))
        browser.screenshot(shots and shots / f"phone-{view}.png")
    covers = browser.run("(() => { const box = document.getElementById('detail').getBoundingClientRect(); return box.width === 390 && box.top === 0 })()")
    checks.true("details cover the screen of a phone", covers)
    wide(browser)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    browser.open(page, "#view=findings&at=0")
    checks.true("the dark is dark", browser.run("getComputedStyle(document.documentElement).backgroundColor") != "rgb(255, 255, 255)")
    browser.screenshot(shots and shots / "dark.png")
    browser.call("Emulation.setEmulatedMedia", features=[])
    browser.open(page)
    browser.run("dispatchEvent(new Event('beforeprint'))")
    printed = browser.run("document.getElementById('print').textContent")
    checks.true("causes are printed with their places", "missing" in printed and ".html:" in printed)
    checks.true("a place is printed with what is written there", re.search(r"\.html:\d+:\d+: \S", printed))
    checks.true("paper names the folder of all documents once", printed.count("Documents are named from") == 1)
    keys = "getComputedStyle(document.getElementById('keys')).display"
    browser.call("Emulation.setEmulatedMedia", media="print")
    checks.equal("paper says nothing of keys", browser.run(keys), "none")
    browser.call("Emulation.setEmulatedMedia", media="")
    browser.run("dispatchEvent(new Event('afterprint'))")
    pdf = base64.b64decode(browser.call("Page.printToPDF")["data"])
    checks.true("it prints", pdf.startswith(b"%PDF"))
    if shots:
        (shots / "print.pdf").write_bytes(pdf)


def large_page(browser, checks, page, planted, shots):
    size = page.stat().st_size
    checks.true(f"{planted} findings take at most 40 MB, here {size}", size <= 40_000_000)
    started = time.monotonic()
    browser.open(page)
    browser.run("new Promise(requestAnimationFrame)")
    print(f"first view of {planted} findings in {size / 1e6:.1f} MB: {time.monotonic() - started:.2f} s")
    checks.equal("all of them are there", browser.run(COUNT), f"{planted:,} findings")
    browser.act("document.querySelector('[data-view=findings]').click()")
    checks.true("only those in sight are drawn", browser.run("document.querySelectorAll('.row').length < 100"))
    browser.run("document.getElementById('list').focus()")
    browser.key("End")
    checks.equal("the last is drawn when it is gone to", browser.run(
        "document.getElementById(document.getElementById('list').getAttribute('aria-activedescendant')).ariaPosInSet"), str(planted))
    browser.screenshot(shots and shots / "large.png")
    checks.equal("no trouble with many", browser.trouble(), [])


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        shots = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
        pages = shots or folder
        pages.mkdir(exist_ok=True)
        planted = plant(folder / "small", 3, 6, 5, HOSTILE)
        small = audit(binary, folder / "small", pages / "small.html")
        live = audit(binary, folder / "small", pages / "live.html", "--live-links", "--url-map", ".=https://site.example/")
        plant_messages(folder / "mail")
        mail = audit(binary, folder / "mail", pages / "mail.html", "--level", "note")
        many = plant(folder / "large", 20, LARGE // 20 // 10, 10, [])
        large = audit(binary, folder / "large", pages / "large.html")
        browser = Browser(folder / "profile")
        wide(browser)
        try:
            small_page(browser, checks, small, planted, shots)
            hostile_page(browser, checks, small)
            live_page(browser, checks, live)
            messages_page(browser, checks, mail, shots)
            narrow_and_dark(browser, checks, small, shots)
            large_page(browser, checks, large, many, shots)
        finally:
            browser.close()
    print(f"{checks.passed} passed, {checks.failed} failed")
    sys.exit(checks.failed > 0)


if __name__ == "__main__":
    main()
