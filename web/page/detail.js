"use strict";
// What is known of one link, or of the base of one document.

/** The words for verdicts on declarations of a base. */
const LAYERS = {element: "in the document", header: "in a header around it", retrieval: "where it was retrieved from", none: "nowhere"};

const isDefanged = () => $("defang").checked;

/** A text of a file, defanged unless asked otherwise; it is never a link. */
function told(text) {
  if (text === null || text === undefined) return "";
  const safe = isDefanged() && small ? small.defanged(String(text)) : String(text);
  return shown(safe);
}

function copier(text) {
  const button = make("button", {type: "button", class: "copy", "aria-label": `Copy ${told(text).slice(0, 80)}`, on: {click: async event => {
    event.stopPropagation();
    const what = isDefanged() && small ? small.defanged(text) : text;
    try {
      await navigator.clipboard.writeText(what);
    } catch {
      // Pages from disk may be refused the clipboard, but not a selection.
      const area = make("textarea", {class: "outside", "aria-hidden": "true"});
      area.value = what;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      button.focus();
    }
    button.textContent = "Copied";
  }}}, "Copy");
  return button;
}

/** A name and a value, which can be copied if it is a URL. */
function entry(name, value, hasCopy) {
  if (value === null || value === undefined || value === "") return null;
  return make("div", {class: "entry"}, make("dt", {}, name),
    make("dd", {}, make("bdi", {}, told(value)), hasCopy ? copier(String(value)) : null));
}

/** Where a URL leads behind its wrappers: as the library says. */
function unwrapped(url) {
  if (!url || !small) return null;
  const text = small.unwrapped(url);
  return text === undefined ? null : JSON.parse(text);
}

const ERRORS = {"no-base": "it is relative, and no base is known", "bad-base": "it is relative, and the base cannot serve",
  invalid: "it is no URL under any base", "too-long": "it is too long"};

const ENDS = {opaque: "only its service knows the target", undecodable: "its target is missing or damaged",
  "bad-target": "its target is not followed from mail", loop: "its target was there before", depth: "there are too many", "too-long": "it is too long"};

const place = row => row.line ? `line ${many(row.line)}, column ${many(row.column)}` : "";

const written = row => row.attr ? `${row.element} ${row.attr}` : row.element;

function linkDetail(row, findings) {
  const opened = unwrapped(row.url);
  // Of a single wrapper, what is in it is the final URL.
  const steps = opened && (opened.steps.length > 1 || opened.end) ? opened.steps.map((step, k) => entry(`Wrapper ${k + 1}: ${step.wrapper}`, step.target ?? ENDS[opened.end], step.target !== null)) : [];
  return [
    make("h3", {}, "Where it goes"),
    make("dl", {},
      row.url === null ? entry("No URL", ERRORS[row.error] ?? row.error) : entry("URL", row.url, true),
      opened ? entry(`Final URL, in ${opened.steps.map(step => step.wrapper).join(", ")}`, opened.url, true) : null, steps,
      opened?.hint ? entry("What the wrapper says of its target", opened.hint) : null,
      "browser_url" in row ? entry("In browsers", row.browser_url ?? "nowhere", row.browser_url !== null) : null),
    findings.length ? make("h3", {}, "What the audit says") : null,
    findings.map(finding => make("p", {class: `level ${finding.level}`}, told(finding.message), " ", make("code", {class: "soft"}, finding.rule))),
    make("h3", {}, "What is written"),
    make("dl", {}, entry("Value", row.raw, true), entry("Text", row.text), entry("Element", written(row)), entry("Document", row.doc), entry("Place", place(row))),
    make("h3", {}, "Its base"),
    make("dl", {}, entry("Base", row.base ?? "none", row.base !== null), entry("Declared", [LAYERS[row.base_source], row.base_at].filter(Boolean).join(": ")), entry("Rules", row.resolver)),
  ];
}

/** Who declared a base, what lost, and why. */
function proofOf(row) {
  const head = ["Layer", "Place", "Value", "Verdict"];
  return [
    make("dl", {}, entry("Document", row.doc), entry("Base", row.base ?? "none", row.base !== null),
      entry("Declared", [LAYERS[row.base_source], row.base_at].filter(Boolean).join(": ")), entry("Encoding", row.encoding)),
    row.candidates.length ? make("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Declarations"}, make("table", {},
      make("caption", {}, "Every declaration of a base, the innermost layer first"),
      make("thead", {}, make("tr", {}, head.map(name => make("th", {scope: "col"}, name)))),
      make("tbody", {}, row.candidates.map(one => make("tr", {class: one.verdict === "taken" ? "taken" : ""},
        make("td", {}, one.source), make("td", {}, told(one.at)), make("td", {}, make("bdi", {}, told(one.value))),
        make("td", {class: "why"}, make("code", {}, one.verdict), VERDICTS[one.verdict] ? `: ${VERDICTS[one.verdict]}` : "")))))) : make("p", {class: "soft"}, "Nothing declares a base."),
    row.notes.map(note => make("p", {class: "soft"}, `${note.code}: `, make("bdi", {}, told(note.detail)), note.line ? ` (line ${many(note.line)})` : "")),
  ];
}
