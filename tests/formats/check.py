#!/usr/bin/env python3
"""Holds the outputs of `baseref audit` against the formats that they claim to be.

    python3 tests/formats/check.py BASEREF

SARIF against its schema, JUnit and CSV with the parsers of Python, JSON Lines line by line; and
all of them against each other: the same findings in each. Prints `N passed, N failed`.
"""

import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from checks import Checks  # noqa: E402

HERE = pathlib.Path(__file__).parent
NAMES = ["gone.html", "dir/", "a b.html", "=1+1.html", "[x](http://evil.example/)", "\x1b[31m.html",
         "\u202egnp.exe", "ж.html", "a,\"b\".html", "#no-such-id", "<b>.html", "::error::x.html"]
PAGES = {"index.html": "utf-8", "deep/er/page.html": "utf-8", "windows.html": "windows-1251", "sixteen.html": "utf-16",
         "name with spaces#and?more.html": "utf-8"}


def plant(root):
    for page, encoding in PAGES.items():
        lines = ['<!DOCTYPE html><meta charset="{}"><title>t</title>'.format(encoding)]
        for name in NAMES:
            escaped = name.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
            lines.append(f"<p>Текст <a href=\"{escaped}\">x</a>")
        path = root / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes("\n".join(lines).encode(encoding, "xmlcharrefreplace"))
    (root / "dir").mkdir()


def run(binary, root, *options):
    done = subprocess.run([binary, "audit", "site", "--level", "note", *options], cwd=root, capture_output=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"baseref audit ended with {done.returncode}: {done.stderr.decode()}")
    return done.stdout.decode()


def outputs(binary, root, *options):
    formats = ["jsonl", "csv", "sarif", "junit", "github", "markdown", "html"]
    for name in formats:
        options += ("--out", f"{name}=report.{name}")
    text = run(binary, root, *options)
    return {"text": text} | {name: (root / f"report.{name}").read_bytes().decode() for name in formats}


def check_sarif(checks, schema, text, rows):
    log = json.loads(text)
    errors = [f"{list(error.absolute_path)}: {error.message}" for error in schema.iter_errors(log)]
    checks.equal("SARIF is valid against its schema", errors, [])
    (run,) = log["runs"]
    results = run["results"]
    checks.equal("SARIF has a result for each finding", len(results), len(rows))
    order = ["error", "warning", "note"]
    levels = [order.index(result["level"]) for result in results]
    checks.equal("SARIF has errors first", levels, sorted(levels))
    rules = run["tool"]["driver"]["rules"]
    checks.true("every result names its rule by index too",
                all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in results))
    prints = sorted(result["partialFingerprints"]["baserefFinding/v1"] for result in results)
    checks.equal("SARIF has the fingerprints of JSON Lines", prints, sorted(row["fingerprint"] for row in rows))
    checks.true("no message of SARIF holds a link of the input",
                not any("[x](" in result["message"]["text"].replace("\\[x\\](", "") for result in results))
    return results


def check_regions(checks, root, results):
    """Every region names exactly the value: by lines and characters, and by bytes."""
    for result in results:
        location = result["locations"][0]["physicalLocation"]
        region = location.get("region")
        if not region or "raw" not in result["properties"] or not result["ruleId"].startswith("target/"):
            continue
        uri = location["artifactLocation"]["uri"]
        path = root / pathlib.Path(__import__("urllib.parse").parse.unquote(uri))
        encoding = PAGES[str(path.relative_to(root / "site"))]
        data = path.read_bytes()
        start = region["byteOffset"]
        inside = data[start:start + region["byteLength"]].decode("utf-16-le" if encoding == "utf-16" else encoding)
        line = data.decode(encoding).split("\n")[region["startLine"] - 1]
        checks.equal(f"the region of {uri} is the same in bytes and in characters",
                     line[region["startColumn"] - 1:region["endColumn"] - 1], inside)


def check_others(checks, all_of_it, rows):
    table = list(csv.DictReader(io.StringIO(all_of_it["csv"], newline="")))
    checks.equal("CSV has the values of JSON Lines", [row["raw"] for row in table], [row["raw"] for row in rows])
    checks.equal("CSV has the URLs of JSON Lines", [row["urls_whatwg"] for row in table],
                 [row["urls"]["whatwg"] or "" for row in rows])
    suites = ElementTree.fromstring(all_of_it["junit"])
    failures = suites.findall("./testsuite/testcase/failure")
    checks.equal("JUnit has a failure for each error", len(failures), sum(row["level"] == "error" for row in rows))
    checks.equal("JUnit counts its failures", int(suites.get("failures")), len(failures))
    commands = [line for line in all_of_it["github"].splitlines() if line.startswith("::")]
    groups = {row["group"] for row in rows}
    checks.equal("GitHub has an annotation for each group", len(commands), len(groups))
    for name in ["text", "jsonl", "github", "junit", "markdown", "sarif", "html"]:
        checks.true(f"{name} has no control characters and no turned text",
                    not any(c < " " and c not in "\n" or "\x7f" <= c <= "\x9f" or c == "\u202e" for c in all_of_it[name]))


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    checks = Checks()
    schema = jsonschema.Draft4Validator(json.loads((HERE / "sarif-schema-2.1.0.json").read_text()))
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        plant(root / "site")
        first = outputs(binary, root)
        rows = [json.loads(line) for line in first["jsonl"].splitlines()]
        summary = rows.pop()
        checks.equal("the last line of JSON Lines is the summary", summary["type"], "summary")
        checks.equal("links are the sum of their classes", summary["links"], sum(summary["classes"].values()))
        for level in ["error", "warning", "note"]:
            checks.equal(f"the summary counts each {level}", summary["findings"][level]["new"],
                         sum(row["level"] == level for row in rows))
        results = check_sarif(checks, schema, first["sarif"], rows)
        check_regions(checks, root, results)
        check_others(checks, first, rows)
        checks.equal("the outputs are the same on any number of threads", outputs(binary, root, "--jobs", "1"),
                     outputs(binary, root, "--jobs", "8"))

        run(binary, root, "--write-baseline", "known.jsonl")
        page = root / "site/index.html"
        page.write_text(page.read_text().replace("<p>", "\n\n<p>", 1) + '\n<a href="new.html">x</a>')
        second = outputs(binary, root, "--baseline", "known.jsonl")
        new = [json.loads(line) for line in second["jsonl"].splitlines()][:-1]
        checks.equal("after an edit above, only the new link is new",
                     sorted({row["raw"] for row in new if not row["known"]}), ["new.html"])
        results = check_sarif(checks, schema, second["sarif"], new)
        checks.equal("SARIF knows the baseline", sorted({result["baselineState"] for result in results}), ["new", "unchanged"])

        allowed = outputs(binary, root, "--allow", "*")
        results = json.loads(allowed["sarif"])["runs"][0]["results"]
        checks.true("what is allowed is suppressed", all(result["suppressions"] or result["ruleId"].startswith("config/") for result in results))
        run(binary, root, "--out", "sarif=alone.sarif")
        alone = (root / "alone.sarif").read_text()
        checks.equal("SARIF is the same whatever is written besides", json.loads(alone), json.loads(outputs(binary, root)["sarif"]))
        cut = outputs(binary, root, "--sarif-max", "2")
        errors = list(schema.iter_errors(json.loads(cut["sarif"])))
        checks.equal("a SARIF file that is cut is valid", errors, [])
        invocation = json.loads(cut["sarif"])["runs"][0]["invocations"][0]
        checks.true("and says that it is cut", invocation["toolExecutionNotifications"])
    print(f"{checks.passed} passed, {checks.failed} failed")
    sys.exit(checks.failed > 0)


if __name__ == "__main__":
    main()
