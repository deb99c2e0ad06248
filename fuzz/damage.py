#!/usr/bin/env python3
"""damage.py BASEREF [-n NUMBER] [-v] [NAME...]: damages good files of every format, and expects that no link is lost in silence.

Each file is damaged NUMBER times (30 without `-n`) in one of five ways, always the same for the same number. `baseref links`
must then end with exit code 3, or print all URLs of the good file. What no reader can notice is listed with its
reason: UNPROTECTED ranges, and the KINDS of damage of formats without lengths or checksums; there, only the exit code and
panics are checked. Prints what fails, with the command that makes the file again (`-k FILE` keeps it); exit code 1 if any does."""
import argparse, base64, bz2, collections, gzip, hashlib, io, json, lzma, random, re, shutil, subprocess, sys, tarfile, tempfile, zipfile, zlib
from pathlib import Path

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
PAGE = b"<!DOCTYPE html><title>t</title>" + b"".join(b"<p>%d <a href=http://h.example/%d>x</a>" % (n * n, n) for n in range(40))
SMALL = b"<!DOCTYPE html><a href=http://h.example/a>a</a><a href=http://h.example/b>b</a>"


def record(headers, block, digest=True):
    fields = {"WARC-Type": "response", "WARC-Record-ID": "<urn:uuid:1>", "WARC-Date": "2024-01-01T00:00:00Z", **headers}
    if digest:
        fields["WARC-Block-Digest"] = "sha1:" + base64.b32encode(hashlib.sha1(block).digest()).decode()
    fields["Content-Length"] = len(block)
    return b"WARC/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in fields.items()).encode() + b"\r\n" + block + b"\r\n\r\n"


def response(body, coding=None, encode=lambda body: body):
    body = encode(body)
    coded = f"Content-Encoding: {coding}\r\n" if coding else ""
    return f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{coded}Content-Length: {len(body)}\r\n\r\n".encode() + body


def warc(digest=True, **coding):
    http = {"Content-Type": "application/http; msgtype=response"}
    records = [record({**http, "WARC-Target-URI": f"http://h.example/{n}/"}, response(body, **coding), digest) for n, body in enumerate([SMALL, PAGE])]
    page = record({"WARC-Type": "resource", "WARC-Target-URI": "http://h.example/r/", "Content-Type": "text/html"}, SMALL, digest)
    return [*records, page]


def arc():
    body = response(PAGE)
    first = b"1 0 X\nURL IP-address Archive-date Content-type Archive-length\n"
    first = b"filedesc://x.arc 0.0.0.0 20240101000000 text/plain %d\n" % len(first) + first + b"\n"
    return first + b"http://h.example/ 1.2.3.4 20240101000000 text/html %d\n" % len(body) + body + b"\n"


def archive(method):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as writer:
        for name, page in [("a.html", SMALL), ("b.html", PAGE)]:
            writer.writestr(zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0)), page, method)
    return file.getvalue()


def message(encode, name):
    text = b"From: a@h.example\r\nTo: b@h.example\r\nSubject: s\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=bb\r\n\r\n"
    for page in (SMALL, PAGE):
        text += f"--bb\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: {name}\r\n\r\n".encode() + encode(page) + b"\r\n"
    return text + b"--bb--\r\n"


def tar():
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as writer:
        for name, page in [("a.html", SMALL), ("b.html", PAGE)]:
            member = tarfile.TarInfo(name)
            member.size = len(page)
            writer.addfile(member, io.BytesIO(page))
    return file.getvalue()


def wacz():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as writer:
        for name, content in [("archive/data.warc.gz", b"".join(gzip.compress(one, mtime=0) for one in warc())), ("datapackage.json", b'{"profile": "data-package"}')]:
            writer.writestr(zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0)), content)
    return file.getvalue()


def gmail():
    message = base64.urlsafe_b64encode(SMALL).decode()
    payload = {"mimeType": "text/html", "headers": [{"name": "Content-Type", "value": "text/html"}], "body": {"size": len(SMALL), "data": message}}
    messages = [{"id": str(n), "threadId": "t", "labelIds": ["INBOX"], "snippet": "s", "payload": payload} for n in range(3)]
    return json.dumps({"messages": messages}).encode()


def graph():
    messages = [{"id": str(n), "subject": "s", "internetMessageId": f"<{n}@h.example>", "body": {"contentType": "html", "content": SMALL.decode()}} for n in range(3)]
    return json.dumps({"@odata.context": "https://graph.microsoft.com/v1.0/$metadata#messages", "value": messages}).encode()


def zstd(data, *options):
    program = shutil.which("zstd")
    return program and subprocess.run([program, "-q", "-c", *options], input=data, stdout=subprocess.PIPE, check=True).stdout


def fixed(name):
    return (FIXTURES / name).read_bytes()


GOOD = {  # name: content, or None if a program is missing that makes it
    "page.html": PAGE,
    "page.html.gz": gzip.compress(PAGE, mtime=0),
    "twice.html.gz": gzip.compress(gzip.compress(PAGE, mtime=0), mtime=0),
    "members.html.gz": gzip.compress(SMALL, mtime=0) + gzip.compress(PAGE, mtime=0),
    "page.html.bz2": bz2.compress(PAGE),
    "page.html.xz": lzma.compress(PAGE),
    "page.html.zst": zstd(PAGE, "--check"),
    "pages.tar": tar(),
    "pages.tar.gz": gzip.compress(tar(), mtime=0),
    "crawl.wacz": wacz(),
    "book.zim": fixed("zim/book.zim"),
    "mail.olm": fixed("packed/messages-and-their-files-are-read.olm"),
    "box.mbx": fixed("mail-stores/deleted-message-is-read-on-request.mbx"),
    "gmail.json": gmail(),
    "graph.json": graph(),
    "stored.zip": archive(zipfile.ZIP_STORED),
    "deflated.zip": archive(zipfile.ZIP_DEFLATED),
    "digests.warc": b"".join(warc()),
    "lengths.warc": b"".join(warc(digest=False)),
    "coded.warc": b"".join(warc(coding="gzip", encode=lambda body: gzip.compress(body, mtime=0))),
    "deflate.warc": b"".join(warc(digest=False, coding="deflate", encode=zlib.compress)),
    "records.warc.gz": b"".join(gzip.compress(one, mtime=0) for one in warc()),
    "whole.warc.gz": gzip.compress(b"".join(warc(digest=False)), mtime=0),
    "whole.warc.zst": zstd(b"".join(warc(digest=False)), "--check"),
    "crawl.arc": arc(),
    "crawl.arc.gz": gzip.compress(arc(), mtime=0),
    "answer.http": response(PAGE),
    "coded.http": response(PAGE, "gzip", lambda body: gzip.compress(body, mtime=0)),
    "base64.eml": message(base64.encodebytes, "base64"),
    "plain.eml": message(lambda page: page, "7bit"),
    "box.mbox": b"".join(b"From a@h.example Mon Jan  1 00:00:00 2024\n" + message(lambda page: page, "7bit").replace(b"\r\n", b"\n") + b"\n" for _ in range(2)),
    "page.har": fixed("packed/each-response-has-its-url.har"),
    "page.maff": fixed("saved/originalurl-is-the-retrieval-url.maff"),
    "page.webarchive": fixed("saved/each-resource-has-its-url.webarchive"),
    "page.mhtml": fixed("saved/every-part-of-a-snapshot-has-its-location.mhtml"),
    "message.emlx": fixed("saved/message-ends-where-its-length-says.emlx"),
    "message.msg": fixed("outlook/html-in-rtf.msg"),
    "winmail.dat": fixed("outlook/winmail.dat"),
    "store.pst": fixed("outlook/store.pst"),
    "book.epub": fixed("packed/links-of-a-book-lead-into-it.epub"),
}

TEXT = "text has neither lengths nor checksums"
ALL = ("truncate", "flip", "overwrite", "remove", "repeat")
IN_PLACE = ("flip", "overwrite")
KINDS = {  # name: (the kinds of damage that no reader can notice, why)
    "page.html": (ALL, TEXT),
    "plain.eml": (ALL, TEXT + "; a message without its last boundary is common, and is a note"),
    "box.mbox": (ALL, TEXT),
    "page.mhtml": (ALL, TEXT),
    "base64.eml": (ALL, "base64 is text; only a quantum that is cut in the middle proves that bytes are missing"),
    "page.har": (IN_PLACE + ("remove", "repeat"), "the strings of JSON have neither lengths nor checksums; malformed JSON is noticed"),
    "gmail.json": (IN_PLACE + ("remove", "repeat"), "the strings of JSON have neither lengths nor checksums; malformed JSON is noticed"),
    "graph.json": (IN_PLACE + ("remove", "repeat"), "the strings of JSON have neither lengths nor checksums; malformed JSON is noticed"),
    "box.mbx": (IN_PLACE + ("repeat",), "messages have lengths only"),
    "book.zim": (IN_PLACE, "only the whole file has a checksum, which is not verified"),
    "pages.tar": (IN_PLACE + ("remove", "repeat"), "headers have checksums, the files have lengths only; the last one may take zero bytes from the end of the tar"),
    "page.webarchive": (ALL, "the objects of a binary property list have lengths, but no checksums"),
    "lengths.warc": (IN_PLACE, "records without digests have lengths only"),
    "crawl.arc": (IN_PLACE, "records of ARC have lengths only"),
    "answer.http": (IN_PLACE + ("repeat",), "a response has a length only, and what follows that is read: programs store decoded bodies"),
    "message.emlx": (ALL, "the length is followed by a property list, so it need not be that of the file"),
    "message.msg": (ALL, "compound files have neither checksums nor a length of the file; its streams have lengths"),
}
# A file that ends with a whole record has no sign that others followed.
ENDS = dict.fromkeys(["digests.warc", "lengths.warc", "coded.warc", "deflate.warc"], b"\r\n\r\n")
UNPROTECTED = {  # name: (a pattern for the bytes that no length or checksum covers, why)
    "digests.warc": (rb"WARC/1\.1\r\n(?:.+\r\n)+\r\n", "the header of a record is not in its digest"),
    "coded.warc": (rb"WARC/1\.1\r\n(?:.+\r\n)+\r\n", "the header of a record is not in its digest"),
    "deflate.warc": (rb"WARC/1\.1\r\n(?:.+\r\n)+\r\n|HTTP/1\.1 (?:.+\r\n)+\r\n|<!DOCTYPE.*", "headers and bodies without a coding have no checksum"),
    "coded.http": (rb"HTTP/1\.1 (?:.+\r\n)+\r\n", "headers have no checksum"),
    "stored.zip": (rb"[ab]\.html", "the name of a member has no checksum"),
    "deflated.zip": (rb"[ab]\.html", "the name of a member has no checksum"),
    "crawl.wacz": (rb"PK\x03\x04.{26}[ -~]+|PK\x01\x02.{42}[ -~]+", "names and attributes of members have no checksum"),
    "mail.olm": (rb"PK\x03\x04.{26}[ -~]+|PK\x01\x02.{42}[ -~]+", "names and attributes of members have no checksum"),
    "page.maff": (rb"PK\x03\x04.{26}[ -~]+|PK\x01\x02.{42}[ -~]+", "names and attributes of members have no checksum"),
    "book.epub": (rb"PK\x03\x04.{26}[ -~]+|PK\x01\x02.{42}[ -~]+", "names and attributes of members have no checksum"),
}

# Before this many bytes nothing shows what a file cut off there was.
HEADS = {"gmail.json": 100, "graph.json": 100, "answer.http": 5, "coded.http": 5, "winmail.dat": 4, "box.mbx": 7, **dict.fromkeys([name for name in GOOD if name.endswith(".warc")], 1)}


def damaged(name, number):
    """The kind of damage, the range of bytes that it changes, and the damaged bytes."""
    good = GOOD[name]
    chosen = random.Random(f"{name} {number}")
    at, length = chosen.randrange(len(good)), chosen.randint(1, 1 + min(64, len(good) // 8))
    kind = ALL[number % len(ALL)]
    end = min(at + length, len(good))
    if kind == "truncate":
        return kind, range(at, len(good)), good[:at]
    if kind == "flip":
        return kind, range(at, at + 1), good[:at] + bytes([good[at] ^ 1 << chosen.randrange(8)]) + good[at + 1:]
    if kind == "remove":
        return kind, range(at, end), good[:at] + good[end:]
    if kind == "repeat":
        return kind, range(end, end), good[:end] + good[at:end] + good[end:]
    start = chosen.randrange(len(good) - (end - at) + 1)
    return kind, range(at, end), good[:at] + good[start:start + end - at] + good[end:]


def is_unnoticeable(name, kind, changed):
    if kind in KINDS.get(name, ((), ""))[0]:
        return True
    if kind == "truncate" and ENDS.get(name, b"\0") == GOOD[name][:changed.start][-4:]:
        return True
    if kind == "truncate" and changed.start < HEADS.get(name, 0):
        return True
    pattern, _ = UNPROTECTED.get(name, (rb"(?!)", ""))
    found = re.finditer(pattern, GOOD[name], re.S if pattern.startswith(rb"PK") else 0)
    return any(one.start() <= changed.start and changed.stop <= one.end() for one in found)


def run(program, name, content, folder):
    path = Path(folder) / name
    path.write_bytes(content)
    done = subprocess.run([program, "links", "--links", "all", path], capture_output=True, timeout=60)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def missing(links, found):
    left = collections.Counter(found.split(b"\n"))
    left.subtract(links.split(b"\n"))
    return [url for url, count in left.items() if count < 0]


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("program")
    options.add_argument("names", nargs="*")
    options.add_argument("-n", type=int, default=30)
    options.add_argument("--first", type=int, default=0, metavar="NUMBER", help="the number of the first damage")
    options.add_argument("-v", action="store_true")
    options.add_argument("-k", metavar="FILE", help="write the damaged file of one NAME with the number `-n` here")
    options = options.parse_intermixed_args()
    program = str(Path(options.program).resolve())
    names = options.names or list(GOOD)
    if options.k:
        Path(options.k).write_bytes(damaged(names[0], options.n)[2])
        return 0
    numbers = range(options.first, options.first + options.n)
    counts, failed = collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            if GOOD[name] is None:
                print(f"{name}: not made, as a program is missing")
                continue
            code, links, said = run(program, name, GOOD[name], folder)
            if code or links.count(b"\n") < 1:
                failed.append(f"{name}: the good file ends with {code}, {links.count(10)} links: {said}")
                continue
            for number in numbers:
                kind, changed, content = damaged(name, number)
                code, found, said = run(program, name, content, folder)
                if code not in (0, 3) or "panicked" in said:
                    failed.append(f"{name} -n {number}: {kind} at {changed}: exit code {code}: {said}")
                elif code == 3:
                    counts["noticed"] += 1
                elif not missing(links, found):
                    counts["without loss"] += 1
                elif is_unnoticeable(name, kind, changed):
                    counts["not noticeable"] += 1
                else:
                    lost = len(missing(links, found))
                    failed.append(f"{name} -n {number}: {kind} at {changed}: exit code 0, {lost} of {links.count(10)} links lost" + (f": {said}" if options.v else ""))
    print("\n".join(failed + [", ".join(f"{count} {what}" for what, count in sorted(counts.items())) + f", {len(failed)} failed"]))
    return 1 if failed else 0


sys.exit(main())
