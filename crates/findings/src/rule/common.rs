//! The rules about exceptions and baselines, which every check has.

crate::rules! {
    EXPIRED_ALLOW "config/expired-allow" Warning "baseref, docs/findings.md"
        "expired exception"
        "The last day that `expires` names has passed, so what the entry allowed is reported again. \
         Repair it, or give the entry a new date and a reason that still holds."
        "baseref audit ." {
            "baseref.toml": "[[allow]]\nrule = \"target/*\"\n\
             reason = \"until the new API pages are up\"\nexpires = 2020-01-31",
            "page.html": "<a href=\"gone.html\">",
        };

    UNUSED_ALLOW "config/unused-allow" Note "baseref, docs/findings.md"
        "exception that matches nothing"
        "Nothing is left that the entry would allow. Remove it, because it could hide a later finding."
        "baseref audit ." {
            "baseref.toml": "[[allow]]\nrule = \"target/*\"\nurl = \"/mended-long-ago.html\"\n\
             reason = \"…\"",
            "page.html": "<p>No link is broken.",
        };

    STALE "baseline/stale" Error "baseref, docs/findings.md"
        "a finding of the baseline no longer occurs"
        "With --baseline-strict a baseline holds exactly what is still wrong, so that it can only \
         shrink. Write it again with --write-baseline."
        "baseref audit . --baseline known.jsonl --baseline-strict" {
            "known.jsonl": "{\"type\":\"baseline\",\"v\":1}\n\
             {\"fingerprint\":\"060e9fdaeb0b869b795ba4c95bf1cd10\",\"rule\":\"target/missing-file\",\
             \"doc\":\"page.html\",\"raw\":\"gone.html\"}",
            "page.html": "<p>The link is gone.",
        };
}
