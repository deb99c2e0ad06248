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
  The List-* header links of a mailing list, and the URLs in the plain text of its mail:
    baseref links --links header,text list.mbox
  A saved site, every file below ./site from http://example.org/, each URL once:
    baseref links --url-map site=http://example.org/ --unique site
  Pages saved by browsers and other programs, by the marks that these left:
    baseref links --saved-from auto saved
  A page from the Wayback Machine, with its original links:
    baseref links --unwrap-archive page.html
  The same links as a browser resolves them:
    baseref links --resolver whatwg page.html
  Only frames and forms, as a table for a spreadsheet:
    baseref links --links document,form -f csv -o links.csv page.html
  Files listed by another program, on two threads, URLs terminated by NUL:
    find . -name '*.eml' | baseref links --files-from - -j 2 -0 | xargs -0 -n1 echo
  How many of these pages had to be read by building their tree, and why?
    baseref links --stats site >links.txt
  The external links of a site, counted by the site they lead to, largest first:
    baseref links --url-map site=http://example.org/ --external --group-by site site
  Which message has which link, for a spreadsheet:
    baseref links -f csv --fields doc,doc_date,from,subject,url --scheme http,https box.mbox
  The default fields and the page's own URL:
    baseref links -f jsonl --fields +doc_url page.html
  Places that an editor can open, for links to one host except its images:
    baseref links -H --links all --host '*.example.org' --exclude '[.](png|jpe?g)$' page.html
  The links without a URL, and why:
    baseref links --errors -f jsonl page.html
  How many links to matching pages does each page have?
    baseref links --internal --include /docs/ --count -u http://a/ page.html
  For a ticket: nothing clickable, no long data: URLs, no colors:
    baseref links --defang --max-url 80 --color never mail.eml
  Pages below a folder by name, except one, entering hidden folders and symbolic links:
    baseref links --glob '*.html' --glob '!old.html' --hidden -L site
  Every mirrored host below a folder written by wget:
    baseref links --url-map wget:mirror mirror
  A compressed archive from another program, with a name:
    cat x.warc.gz | baseref links --stdin-name x.warc.gz
  In a script: only errors, as JSON, and exit code 3 for notes, too:
    baseref links -q --messages jsonl --fail-on note mail.eml
  Every message about the inputs:
    baseref links -v box.mbox
  A page on standard input, in an encoding it does not declare:
    baseref links --input html --encoding windows-1251 - <page.html";

pub(super) const BASE_EXAMPLES: &str = "\
Examples:
  Which base does each part of this mail have, and where is it declared?
    baseref base mail.eml
  The same for programs, every candidate of every layer with its verdict:
    baseref base -f jsonl mail.eml
  Where was this page saved from, according to its marks, and would that give its base?
    baseref base --saved-from auto page.html
  Only what RFC 1808 itself allows: Base: <URL:...> and absolute <base href>:
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
  The same for a tree that is served at https://www.example.com/docs/:
    baseref audit public --url-map public=https://www.example.com/docs/
  On GitHub Pages, for GitHub's code scanning, and as a page for people:
    baseref audit public --hosting github-pages --out sarif=links.sarif --out html=links.html
  Only what is new since yesterday:
    baseref audit public --baseline known.jsonl
  What is this rule about?
    baseref audit --explain base/retargets-fragment";
