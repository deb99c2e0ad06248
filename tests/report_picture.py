#!/usr/bin/env python3
"""Makes the picture of the README: the HTML report of the example site in headless Chromium.

    python3 tests/report_picture.py BASEREF [docs/report.png]
"""

import pathlib
import subprocess
import sys
import tempfile

from browser import Browser

ROOT = pathlib.Path(__file__).resolve().parent.parent
SITE = "fixtures/example/site"


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    picture = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "docs/report.png")
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch) / "report.html"
        command = [program, "audit", SITE, "-f", "html", "-o", report]
        if subprocess.run(command, cwd=ROOT).returncode != 1:
            sys.exit("the audit of the example site found nothing")
        browser = Browser(pathlib.Path(scratch) / "profile")
        browser.call("Emulation.setDeviceMetricsOverride",
                     width=1100, height=620, deviceScaleFactor=1, mobile=False)
        browser.navigate(report.as_uri())
        browser.screenshot(picture)
        browser.close()


if __name__ == "__main__":
    main()
