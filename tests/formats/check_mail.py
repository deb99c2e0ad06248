#!/usr/bin/env python3
"""Holds what `baseref links` hands over against the published schemas of STIX 2.1 and MISP.

    python3 tests/formats/check_mail.py BASEREF

The schemas are those that the packages stix2-validator (of OASIS) and PyMISP contain: nothing is
fetched. Prints `N passed, N failed`.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema
import stix2validator

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from checks import Checks  # noqa: E402

LINKS = ["https://a.example/x?y=%22&amp;z=1", "http://192.0.2.1/", "http://[2001:db8::1]:8080/", "mailto:joe@a.example?subject=x",
         "https://b\u00fccher.example/\u00fc", "ftp://files.example/x", "https://A.Example./", "https://a.example:65535/#f",
         "https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Furldefense.com%2Fv3%2F__https%3A%2F%2Fc.example%2F__%3B!!k!s%24",
         "https://bit.ly/x", "http://u:p@d.example/", "https://xn--bcher-kva.example/", "tel:+15550100", "javascript:x", "http://e.example/%zz|", "http://e.example/a b[c]#d#e", "http://a_b.example/"]


def message(number, date):
    head = f"From: News {number} <news@f.example>\n" + (f"Date: {date}\n" if date else "")
    links = "".join(f"<a href='{link}'>x</a>" for link in LINKS[number:] + LINKS[:number // 2])
    return f"{head}Content-Type: text/html; charset=utf-8\n\n{links}\n"


def run(binary, *arguments):
    done = subprocess.run([binary, "links", *arguments], capture_output=True)
    if done.returncode != 0:
        raise SystemExit(f"baseref links ended with {done.returncode}: {done.stderr.decode()}")
    return done.stdout.decode(), done.stderr.decode()


def check_stix(checks, binary, files, what):
    text, _ = run(binary, "-f", "stix", *files)
    options = stix2validator.ValidationOptions(version="2.1", strict=False)
    results = stix2validator.validate_string(text, options)
    errors = [str(error) for error in results.errors]
    checks.equal(f"STIX of {what} is valid against the schemas of OASIS", errors, [])
    return json.loads(text)


def check_misp(checks, binary, files, what):
    import pymisp

    text, _ = run(binary, "-f", "misp", *files)
    folder = pathlib.Path(pymisp.__file__).parent / "data"
    for name in ["schema.json", "schema-lax.json"]:
        schema = jsonschema.Draft4Validator(json.loads((folder / name).read_text()))
        errors = [f"{list(error.absolute_path)}: {error.message}" for error in schema.iter_errors(json.loads(text))]
        checks.equal(f"the event of {what} is valid against MISP's {name}", errors, [])
    event = pymisp.MISPEvent()
    event.load(text)
    types = json.loads((folder / "describeTypes.json").read_text())["result"]["category_type_mappings"]
    checks.true("every type is one of its category", all(one.type in types[one.category] for one in event.attributes))
    return json.loads(text)["Event"]


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        dates = ["Mon, 05 Jan 2026 09:00:00 +0100", "Thu, 01 Jan 1970 00:00:00 +0000", None]
        files = []
        for number, date in enumerate(dates):
            files.append(root / f"{number}.eml")
            files[-1].write_text(message(number, date))
        dated, undated = files[:2], files[2:]
        for what, names in [("dated mail", dated), ("mail without a date", undated), ("all mail", files), ("nothing", [])]:
            if not names:
                names = [root / "empty.eml"]
                names[0].write_text("From: a@b.example\nContent-Type: text/html\n\n<p>")
            bundle = check_stix(checks, binary, names, what)
            event = check_misp(checks, binary, names, what)
            check_misp(checks, binary, ["--defang", *names], f"{what}, defanged,")
            # The schemas take only whole values, though the standard has a property for others.
            defanged = json.loads(run(binary, "-f", "stix", "--defang", *names)[0]).get("objects", [])
            checks.true("what is defanged says so", all("value" not in one or one["defanged"] for one in defanged))
            kinds = [one["type"] for one in bundle.get("objects", [])]
            if what == "mail without a date":
                checks.equal("no date is invented", (kinds.count("observed-data"), event.get("date")), (0, None))
            if what == "dated mail":
                checks.equal("each observable was observed", kinds.count("observed-data") * 2, len(kinds))
                checks.equal("the event has the day of its first message", event["date"], "1970-01-01")
        _, said = run(binary, "-f", "stix", *undated)
        checks.true("what is left out is said", "observed-data" in said)
        both = [run(binary, "-f", name, "--jobs", jobs, *files)[0] for name in ["stix", "misp"] for jobs in ["1", "4"]]
        checks.equal("the same bytes on any number of threads", both[::2], both[1::2])
    print(f"{checks.passed} passed, {checks.failed} failed")
    sys.exit(checks.failed > 0)


if __name__ == "__main__":
    main()
