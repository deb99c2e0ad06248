//! The rule `target/link-outside`.

baseref_findings::rule! {
    "target/link-outside" Warning "POSIX.1-2024 §3.360"
    "symbolic link that leads out of the site"
    "The file is missing wherever the folder alone is copied to, and servers may refuse the link \
     (nginx with `disable_symlinks`, Apache without `FollowSymLinks`). It is looked at only with -L."
    "baseref audit site" {
        "site/page.html": "<script src=shared.js></script>",
        "site/shared.js -> ../shared.js": "",
        "shared.js": "",
    }

    struct LinkOutside => "a symbolic link leads out of the folder; -L follows it"
}
