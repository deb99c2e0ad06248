//! The texts of `--help` that are longer than a line.

pub(super) const ABOUT: &str =
    "Finds the base URL of saved HTML and mail, and resolves every link against it";

pub(super) const LONG_ABOUT: &str = "\
Finds the base URL of saved HTML and mail, and resolves every link against it.

The base of a document is, by RFC 1808 §3, the first of these that is present:
  1. element    the <base href> in the HTML
  2. header     Base:, Content-Base: or Content-Location: in the headings of the
                message around it, from its own part outwards
  3. retrieval  the URL it was retrieved from: --url, --url-map, or the record
                that a saved page keeps of it
  4. none       absolute links resolve, relative ones have no URL

Nothing is ever fetched. `baseref PATH...` alone means `baseref links PATH...`.";

pub(super) const AFTER_HELP: &str = "\
Exit codes:
  0  done; what was read in spite of faults is a note (-v shows them)
  2  bad usage, or the output could not be written
  3  something could not be read or was lost (the rest was done; standard error says what)

Examples:
  baseref page.html -u http://example.org/dir/page.html
  baseref links --links all --format jsonl mail.eml
  baseref base archive.mbox
  baseref resolve http://a/b/c/d ../g '?y'";

pub(super) const LINKS_EXAMPLES: &str = "\
Examples:
  The links of a page that was saved from http://example.org/dir/page.html:
    baseref links -u http://example.org/dir/page.html page.html
  Every link of a mailbox, images and forms included, with its place:
    baseref links --links all -f jsonl box.mbox
  What a mailing list says of itself, and the URLs in the plain text of its mail:
    baseref links --links header,text list.mbox
  A saved site, every file below ./site from http://example.org/, each URL once:
    baseref links --url-map site=http://example.org/ --unique site
  Pages that browsers and other programs saved, by the marks that these left:
    baseref links --saved-from auto saved
  A page from the Wayback Machine, its links as they were before:
    baseref links --unwrap-archive page.html
  The same links as a browser has them:
    baseref links --resolver whatwg page.html
  Only frames and forms, as a table for a spreadsheet:
    baseref links --links document,form -f csv -o links.csv page.html
  Files that another program lists, on two threads, URLs ended by NUL:
    find . -name '*.eml' | baseref links --files-from - -j 2 -0 | xargs -0 -n1 echo
  How many of these pages had to be read by their tree, and why?
    baseref links --stats site >links.txt
  The external links of a site, counted by the site they lead to, largest first:
    baseref links --url-map site=http://example.org/ --external --group-by site site
  Which message has which link, for a spreadsheet:
    baseref links -f csv --fields doc,doc_date,from,subject,url --scheme http,https box.mbox
  The default fields and the page's own URL:
    baseref links -f jsonl --fields +doc_url page.html
  Places that an editor opens, links to one host without its images:
    baseref links -H --links all --host '*.example.org' --exclude '[.](png|jpe?g)$' page.html
  The links that have no URL, and why:
    baseref links --errors -f jsonl page.html
  How many links has each page that matches?
    baseref links --internal --include /docs/ --count -u http://a/ page.html
  For a ticket, nothing in it that can be clicked, no long data: URLs, in no colours:
    baseref links --defang --max-url 80 --color never mail.eml
  Pages below a folder that are named so, but for one, hidden folders and links included:
    baseref links --glob '*.html' --glob '!old.html' --hidden -L site
  Every mirrored host below a folder that wget wrote:
    baseref links --url-map wget:mirror mirror
  A compressed archive from another program, under a name of its own:
    cat x.warc.gz | baseref links --stdin-name x.warc.gz
  In a script: only errors, as JSON, and exit code 3 for every imperfection too:
    baseref links -q --messages jsonl --fail-on note mail.eml
  All that is to be said of the inputs, every message of it:
    baseref links -v box.mbox
  A page on standard input, in an encoding it does not declare:
    baseref links --input html --encoding windows-1251 - <page.html";

pub(super) const BASE_EXAMPLES: &str = "\
Examples:
  Which base has each part of this mail, and who said so?
    baseref base mail.eml
  The same for programs, every candidate of every layer with its verdict:
    baseref base -f jsonl mail.eml
  Where does this page say that it was saved from, and would that give its base?
    baseref base --saved-from auto page.html
  Only what RFC 1808 itself knows: Base: <URL:...> and absolute <base href>:
    baseref base --strict mail.eml";

pub(super) const RESOLVE_EXAMPLES: &str = "\
Examples:
  baseref resolve http://a/b/c/d ../g           http://a/b/g
  baseref resolve '' ../g                       no base: an empty line, exit code 0
  baseref resolve --compare http://a/b '?' '../../g' '//h:80'
  printf '%s\\n' g ../g | baseref resolve -f jsonl http://a/b/c/d";

pub(super) const AUDIT_EXAMPLES: &str = "\
Exit codes:
  0  nothing of the level of --fail-on was found
  1  something was
  2  bad usage, or an output could not be written
  3  something could not be read (the reports are written; this comes before 1)

Examples:
  Which targets are missing in this tree, and who links to them?
    baseref audit public
  The same for a tree that is served under https://www.example.com/docs/:
    baseref audit public --url-map public=https://www.example.com/docs/
  On GitHub Pages, for GitHub's code scanning, and as a page for people:
    baseref audit public --hosting github-pages --out sarif=links.sarif --out html=links.html
  Only what is new since yesterday:
    baseref audit public --baseline known.jsonl
  What is this rule about?
    baseref audit --explain base/retargets-fragment";
