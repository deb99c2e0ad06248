// The data. `S` are the strings, `F` the columns of findings: numbers of strings, mostly.
const D = JSON.parse(document.getElementById("data").textContent);
const S = D.strings, F = D.findings, N = D.count;
const LEVELS = ["error", "warning", "note"];
const RULE_SETS = ["rfc1808", "rfc3986", "whatwg"];
const col = (name, i) => (F[name] ? F[name][i] : 0);
const str = (name, i) => S[col(name, i)];
const docName = i => S[D.documents.name[col("doc", i)]];
const ruleOf = i => D.rules[col("rule", i)];
const place = i => docName(i) + (col("line", i) ? `:${col("line", i)}:${col("column", i)}` : "");
const num = n => n.toLocaleString("en-US");
const count = (n, thing) => `${num(n)} ${thing}${n === 1 ? "" : "s"}`;
const $ = id => document.getElementById(id);
const narrow = matchMedia("(max-width: 800px)");

// An element; strings among the children become text nodes, and nothing ever becomes markup.
function el(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === "onclick") element.addEventListener("click", value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== "") element.append(child);
  }
  return element;
}
// Text of the input: its direction changes nothing around it.
const bdi = (text, className) => el("bdi", className ? { class: className } : null, text);
// A URL of the input: a link only if the user asked for live links, and only to the web.
function url(text) {
  if (D.live && /^https?:\/\//i.test(text)) {
    return el("a", { href: text, rel: "noopener noreferrer nofollow", target: "_blank" }, bdi(text, "mono"));
  }
  return bdi(text, "mono");
}

// A word with its explanation, which appears on hover and on focus.
const term = (word, explanation, className) => (explanation
  ? el("span", { class: className ? `term ${className}` : "term", tabindex: "-1", "data-tip": explanation, "aria-label": `${word}: ${explanation}` }, word)
  : el("span", { class: className }, word));
// Makes several elements one stop of the Tab key, within which the arrow keys move.
function rove(box, selector, at = 0) {
  const all = [...box.querySelectorAll(selector)];
  all.forEach((element, k) => { element.tabIndex = k === at ? 0 : -1; });
}
function roveByKey(box, selector) {
  box.addEventListener("keydown", event => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const all = [...box.querySelectorAll(selector)], from = all.indexOf(document.activeElement);
    if (!step || from < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const to = (from + step + all.length) % all.length;
    rove(box, selector, to);
    all[to].focus();
  });
}
// Text of ours, in which code stands between backticks.
const rich = text => text.split(/`([^`]+)`/).map((part, k) => (k % 2 ? el("code", null, bdi(part)) : part)).filter(part => part !== "");
const MEANS = {
  error: "broken for readers", warning: "works by chance, or only in some programs", note: "worth knowing; nothing is broken",
  new: "not in the baseline", known: "listed in the baseline, so it does not count", allowed: "excepted by the configuration or by --allow",
};
// A rule in words; its id is for filters and programs.
const capital = text => text.charAt(0).toUpperCase() + text.slice(1);
const ruleWords = rule => capital(rule.summary);

// What is looked at, kept in the address.
const BLANK = { view: "causes", q: "", doc: "", rule: "", level: "", fresh: "", cause: "", dir: "", at: "" };
let state = { ...BLANK };
function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  state = { ...BLANK };
  for (const key of Object.keys(BLANK)) if (given.has(key)) state[key] = given.get(key);
  if (!VIEWS.some(([name]) => name === state.view)) state.view = BLANK.view;
}
function go(change, replace) {
  const next = { ...state, ...change }, given = new URLSearchParams();
  for (const key of Object.keys(BLANK)) if (next[key] !== BLANK[key]) given.set(key, next[key]);
  const hash = "#" + given;
  if (hash === (location.hash || "#")) return;
  if (replace) { history.replaceState(null, "", hash); show(); } else location.hash = hash;
}

// Which findings pass the filters.
let found = [], foundFor = null;
function filter() {
  const key = [state.q, state.doc, state.rule, state.level, state.fresh, state.cause].join("\0");
  if (key === foundFor) return found;
  const holds = text => {
    const needle = text.toLowerCase(), hits = new Uint8Array(S.length);
    for (let s = 0; s < S.length; s++) if (S[s].toLowerCase().includes(needle)) hits[s] = 1;
    return hits;
  };
  const q = state.q && holds(state.q), doc = state.doc && holds(state.doc);
  const searched = ["raw", "url", "target", "cause", "message", "old", "next", "expected"].filter(name => F[name]);
  const rule = D.rules.findIndex(r => r.id === state.rule);
  const levels = state.level ? state.level.split(",").map(name => LEVELS.indexOf(name)) : null;
  found = [];
  for (let i = 0; i < N; i++) {
    if (state.rule && col("rule", i) !== rule) continue;
    if (levels && !levels.includes(col("level", i))) continue;
    if (state.fresh && col("known", i)) continue;
    if (state.cause && str("cause", i) !== state.cause) continue;
    const name = D.documents.name[col("doc", i)];
    if (doc && !doc[name]) continue;
    if (q && !q[name] && !searched.some(column => q[F[column][i]])) continue;
    found.push(i);
  }
  foundFor = key;
  return found;
}

// What is missing below a missing folder, if the folder is the cause.
const FOLDER_RULES = ["target/missing-file", "move/lost-page"];
function lostIn(i) {
  const folder = str("cause", i);
  const lost = str("target", i) || str("url", i).replace(/[?#].*/, "");
  return FOLDER_RULES.includes(ruleOf(i).id) && folder.endsWith("/") && lost.startsWith(folder) ? lost : "";
}

// The causes among some findings, those with most findings first.
function causesOf(indices) {
  const causes = new Map();
  for (const i of indices) {
    const key = col("rule", i) * S.length + col("cause", i);
    let cause = causes.get(key);
    if (!cause) causes.set(key, cause = { first: i, n: 0, docs: 0, last: -1, level: 2, known: 0, lost: lostIn(i) });
    cause.n++;
    if (cause.lost !== lostIn(i)) cause.lost = "";
    cause.known += col("known", i);
    cause.level = Math.min(cause.level, col("level", i));
    if (cause.last !== col("doc", i)) { cause.docs++; cause.last = col("doc", i); }
  }
  // A link without a base is never judged: what is known of others comes first.
  const unjudged = cause => (ruleOf(cause.first).id === "base/undefined" ? 1 : 0);
  return [...causes.values()].sort((a, b) => a.level - b.level || unjudged(a) - unjudged(b) || b.n - a.n || a.first - b.first);
}

// The tree of folders, with what is in and below each of them.
const folder = name => ({ name, folders: new Map(), files: [], docs: 0, links: 0, bad: [0, 0, 0] });
let tree = null, treeFor = null;
function folders() {
  filter();
  if (treeFor === foundFor) return tree;
  const root = folder("");
  const walk = (path, use) => {
    let at = root;
    use(at);
    for (const name of path) {
      if (!at.folders.has(name)) at.folders.set(name, folder(name));
      use(at = at.folders.get(name));
    }
    return at;
  };
  for (const [path, docs, links] of D.clean) {
    walk(path === "" ? [] : path.split("/"), f => { f.docs += docs; f.links += links; });
  }
  const bad = D.documents.name.map(() => [0, 0, 0]);
  for (const i of found) bad[col("doc", i)][col("level", i)]++;
  D.documents.name.forEach((name, d) => {
    const path = S[name].split("/"), file = path.pop(), links = D.documents.links[d];
    const add = f => { f.docs++; f.links += links; bad[d].forEach((n, level) => { f.bad[level] += n; }); };
    walk(path, add).files.push({ name: file, path: S[name], docs: 1, links, bad: bad[d], file: true });
  });
  treeFor = foundFor;
  return (tree = root);
}
const badness = entry => entry.bad[0] * 1e12 + entry.bad[1] * 1e6 + entry.bad[2];
function openFolder() {
  let at = folders(), path = [];
  for (const name of state.dir === "" ? [] : state.dir.split("/")) {
    if (!at.folders.has(name)) break;
    at = at.folders.get(name);
    path.push(name);
  }
  // Nothing is to be chosen where a folder holds one folder alone.
  while (at.files.length === 0 && at.folders.size === 1 && !state.dir.startsWith(path.join("/") + "/")) {
    const [only] = at.folders.values();
    if (only.docs !== at.docs) break;
    at = only;
    path.push(only.name);
  }
  const entries = [...at.folders.values(), ...at.files];
  entries.sort((a, b) => badness(b) - badness(a) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return { path, entries };
}

// The views: the name, the label, what is listed, a row of it, and what opening one does.
const levelTag = level => el("span", { class: `level ${LEVELS[level]}`, title: MEANS[LEVELS[level]] }, LEVELS[level]);
const known = i => (col("known", i) ? el("span", { class: "soft" }, " known") : "");
function meter(parts, whole) {
  const bar = el("div", { class: "meter", "aria-hidden": "true" });
  for (const [n, fill] of parts) {
    if (!n) continue;
    const part = el("span", { class: fill });
    part.style.width = `${Math.max(0.5, Math.min(100, (100 * n) / Math.max(1, whole)))}%`;
    bar.append(part);
  }
  return bar;
}
const bads = bad => bad.map((n, level) => (n ? [count(n, LEVELS[level]), level] : null)).filter(Boolean);
const VIEWS = [
  ["causes", "Groups", () => causesOf(filter()), (cause, all) => [
    el("div", { class: "main" }, levelTag(cause.level), " ", bdi(cause.lost || str("cause", cause.first), "mono")),
    el("div", { class: "end num" }, num(cause.n), el("span", { class: "visually-hidden" }, " findings")),
    el("div", { class: "sub", title: ruleOf(cause.first).id }, rich(ruleWords(ruleOf(cause.first))), ` · ${count(cause.n, "finding")} in ${count(cause.docs, "document")}`,
      cause.known ? ` · ${num(cause.known)} known` : ""),
    meter([[cause.n, ["fill-bad", "fill-warn", "fill-cool"][cause.level]]], all.largest),
  ], cause => go({ view: "findings", rule: ruleOf(cause.first).id, cause: str("cause", cause.first), at: String(cause.first) })],
  ["folders", "Folders", () => openFolder().entries, entry => [
    el("div", { class: "main" }, bdi(entry.name + (entry.file ? "" : "/"), "mono")),
    el("div", { class: "end" }, bads(entry.bad).length
      ? bads(entry.bad).map(([words, level], k) => [k ? ", " : "", el("span", { class: `level ${LEVELS[level]}` }, words)]).flat()
      : el("span", { class: "soft" }, "nothing found")),
    el("div", { class: "sub" }, (entry.file ? "" : `${count(entry.docs, "document")}, `) + count(entry.links, "link")),
    meter([[entry.bad[0], "fill-bad"], [entry.bad[1], "fill-warn"], [entry.bad[2], "fill-cool"]], Math.max(entry.links, entry.bad[0] + entry.bad[1] + entry.bad[2])),
  ], entry => (entry.file ? go({ view: "findings", doc: entry.path })
    : go({ dir: [...openFolder().path, entry.name].join("/") }))],
  ["findings", "Findings", () => filter(), i => [
    el("div", { class: "main" }, levelTag(col("level", i)), known(i), " ", bdi(str("raw", i) || str("cause", i), "mono")),
    el("div", { class: "end soft rule", title: ruleOf(i).id }, ruleWords(ruleOf(i))),
    D.moved && F.old && col("old", i)
      ? el("div", { class: "sub pair" }, bdi(str("old", i), "mono"), el("span", { class: "arrow", "aria-label": "becomes" }, "→"), bdi(str("next", i) || "no URL", "mono"))
      : el("div", { class: "sub" }, el("bdi", null, rich(str("message", i))), col("url", i) ? [" ", el("span", { class: "arrow", "aria-label": "leads to" }, "→"), bdi(str("url", i), "mono")] : ""),
    el("div", { class: "sub" }, bdi(place(i))),
  ], i => go({ at: String(i) })],
];
if (D.mails.length) VIEWS.splice(1, 0, mailsView());
const view = () => VIEWS.find(([name]) => name === state.view);

// The list: only the rows in sight are in the document.
let items = [], active = 0, drawn = [-1, -1];
const rowHeight = () => parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--row"))
  + (state.view === "findings" ? 20 : state.view === "causes" ? 8 : 8);
function setItems() {
  const [name, label, list] = view();
  items = list();
  items.largest = items.reduce((most, item) => Math.max(most, item.n || 0), 1);
  const box = $("list");
  box.setAttribute("role", "listbox");
  box.setAttribute("aria-label", label);
  const height = rowHeight();
  $("rows").style.setProperty("--row", `${height}px`);
  box.style.height = `${Math.max(96, items.length * height)}px`;
  active = Math.max(0, name === "findings" && state.at !== "" ? items.indexOf(Number(state.at)) : 0);
  drawn = [-1, -1];
  draw();
}
// Scrolls until the active row is neither under the bar nor below the window.
function reveal() {
  const height = rowHeight(), y = $("list").getBoundingClientRect().top + active * height, head = stick();
  if (y < head) scrollBy(0, y - head);
  else if (y + height > innerHeight) scrollBy(0, y + height - innerHeight);
}
function draw() {
  const height = rowHeight(), top = $("list").getBoundingClientRect().top;
  const from = Math.max(0, Math.floor(-top / height) - 8);
  const to = Math.min(items.length, Math.ceil((innerHeight - top) / height) + 8);
  if (drawn[0] === from && drawn[1] === to && drawn[2] === active) return;
  drawn = [from, to, active];
  const rows = $("rows"), [name, , , render] = view();
  rows.style.top = `${from * height}px`;
  const made = [];
  for (let k = from; k < to; k++) {
    made.push(el("div", {
      class: k === active ? "row active" : "row", role: "option", id: `row-${k}`,
      "aria-setsize": items.length, "aria-posinset": k + 1, "aria-selected": k === active ? "true" : "false",
      onclick: () => { active = k; open(k); },
    }, render(items[k], items)));
  }
  if (!items.length) made.push(el("p", { class: "soft" }, name === "folders" ? "No documents." : "Nothing matches."));
  rows.replaceChildren(...made);
  if (items.length) $("list").setAttribute("aria-activedescendant", `row-${active}`);
  else $("list").removeAttribute("aria-activedescendant");
}
function open(k) {
  if (items[k] === undefined) return;
  draw();
  view()[4](items[k]);
}
function move(to) {
  active = Math.max(0, Math.min(items.length - 1, to));
  reveal();
  draw();
  if (state.view === "findings" && state.at !== "" && items[active] !== undefined) go({ at: String(items[active]) }, true);
}
const stick = () => (getComputedStyle($("controls")).position === "sticky" ? $("controls").offsetHeight : 0);
$("list").addEventListener("keydown", event => {
  const page = Math.max(1, Math.floor((innerHeight - stick()) / rowHeight()) - 1);
  const to = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page, PageUp: active - page,
    Home: 0, End: items.length - 1 }[event.key];
  if (to !== undefined) { event.preventDefault(); move(to); }
  else if (event.key === "Enter" || event.key === " ") { event.preventDefault(); open(active); }
  else if (event.key === "Backspace" && state.view === "folders" && state.dir) {
    event.preventDefault();
    go({ dir: state.dir.split("/").slice(0, -1).join("/") });
  }
});
// The arrow keys work at once: where nothing else has the focus, the list gets it.
document.addEventListener("keydown", event => {
  if (document.activeElement !== document.body || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
  event.preventDefault();
  $("list").focus({ preventScroll: true });
  move(active + (event.key === "ArrowDown" ? 1 : -1));
});
document.addEventListener("keydown", event => {
  if (event.key === "Escape" && state.at !== "") { go({ at: "" }); $("list").focus({ preventScroll: true }); }
});

// The details of one finding.
function source(i) {
  if (!F.before && !F.value && !F.after) return null;
  if (!col("before", i) && !col("value", i) && !col("after", i)) return null;
  return [el("h3", null, `Source, line ${col("line", i)}`),
    el("pre", null, bdi(str("before", i).trimStart()), el("mark", null, bdi(str("value", i))), bdi(str("after", i)))];
}
function resolutions(i) {
  const urls = RULE_SETS.map(name => str(name, i));
  if (!urls.some(Boolean)) return null;
  // Escapes alone make no other URL of it (RFC 3986 §6.2.2.2).
  const plain = text => { try { return decodeURI(text); } catch { return text; } };
  if (urls.every(text => plain(text) === plain(urls[0]))) return null;
  return [el("h3", null, "Standards and browsers disagree"),
    el("table", null, el("tbody", null, RULE_SETS.map((name, k) => el("tr", null,
      el("th", { scope: "row" }, { rfc1808: "RFC 1808", rfc3986: "RFC 3986", whatwg: "Browsers" }[name]),
      el("td", { class: plain(urls[k]) !== plain(urls[0]) ? "differs" : null }, urls[k] ? url(urls[k]) : "no URL")))))];
}
function base(i) {
  if (!col("source", i)) return null;
  const layers = { element: "the base element (RFC 1808 §3.1)", header: "a header around the document (§3.2)",
    retrieval: "the page's own address (§3.3)", none: "there is none (§3.4)" };
  return [el("h3", null, "Base"), el("dl", null,
    el("dt", null, "URL"), el("dd", null, col("base", i) ? url(str("base", i)) : "none"),
    el("dt", null, "from"), el("dd", null, layers[str("source", i)] || bdi(str("source", i))),
    col("baseAt", i) ? [el("dt", null, "at"), el("dd", null, bdi(str("baseAt", i)))] : "")];
}
function moved(i) {
  if (!D.moved || !(col("old", i) || col("next", i))) return null;
  const box = (label, name, wide) => el("div", wide ? { class: "wide" } : null, el("div", { class: "soft" }, label),
    col(name, i) ? url(str(name, i)) : "no URL");
  return [el("h3", null, "Before and after the move"), el("div", { class: "beside" },
    box("Before", "old"), box("After", "next"), col("expected", i) ? box("Should be", "expected", true) : ""),
    col("via", i) ? el("p", { class: "soft" }, "Tied to its location by: ", bdi(str("via", i))) : "",
    col("hops", i) ? el("p", { class: "soft" }, "Redirected via ", bdi(str("hops", i).split("\n").join(", "))) : ""];
}
function suggestions(i) {
  if (!col("suggestions", i)) return null;
  const all = str("suggestions", i).split("\n");
  return [el("h3", null, "Did you mean"), all.map(text => el("p", { class: "good" }, bdi(text, "mono")))];
}
function detail() {
  if (mailDetail()) return;
  const i = state.at === "" ? NaN : Number(state.at), panel = $("detail");
  const is = Number.isInteger(i) && i >= 0 && i < N;
  $("split").classList.toggle("open", is);
  const was = !panel.hidden;
  panel.hidden = !is;
  if (!is) return;
  const rule = ruleOf(i);
  const field = (term, text) => (text ? [el("dt", null, term), el("dd", null, bdi(text, "mono"))] : "");
  panel.replaceChildren(
    el("div", { class: "top" }, el("div", null, term(LEVELS[col("level", i)], MEANS[LEVELS[col("level", i)]], `level ${LEVELS[col("level", i)]}`), known(i)),
      el("button", { type: "button", id: "close", onclick: () => { go({ at: "" }); $("list").focus({ preventScroll: true }); } }, "Close")),
    el("h2", null, el("bdi", null, rich(str("message", i)))),
    el("dl", null, field("at", place(i)),
      field("in", str("element", i) + (col("attr", i) ? `[${str("attr", i)}]` : "")),
      field("value", str("raw", i)), col("url", i) ? [el("dt", null, "URL"), el("dd", null, url(str("url", i)))] : "",
      field("target", str("target", i))),
    ...[mailOfFinding(i), source(i), moved(i), suggestions(i), resolutions(i), base(i)].flat(Infinity).filter(Boolean),
    el("h3", null, "The rule"), el("p", null, rich(`${ruleWords(rule)}. ${rule.explanation}`)),
    el("h3", null, "Example"), el("pre", null, rule.example),
    el("p", { class: "soft" }, `${rule.reference} · `, el("span", { class: "mono" }, rule.id)));
  panel.scrollTop = 0;
  if (!was && narrow.matches) panel.focus({ preventScroll: true });
}

// What stands above the list.
const FILLS = { ok: "fill-ok", external: "fill-cool", missing: "fill-bad", "missing-fragment": "fill-bad", opaque: "fill-soft", "not-judged": "fill-soft", filtered: "fill-soft",
  "moves-with-tree": "fill-ok", "already-new": "fill-ok", "fixed-by-move": "fill-ok", outside: "fill-warn", "outside-prefix": "fill-warn" };
function overview() {
  const links = D.summary.links, bar = el("div", { class: "bar", "aria-hidden": "true" }), legend = el("ul", { class: "legend" });
  for (const [name, n, note, about, short] of D.classes) {
    if (!n) continue;
    const fill = FILLS[name] || (D.moved ? "fill-bad" : "fill-warn");
    const part = el("span", { class: fill });
    part.style.width = `${(100 * n) / links}%`;
    bar.append(part);
    legend.append(el("li", null, el("span", { class: `swatch ${fill}`, "aria-hidden": "true" }), el("span", { class: "num" }, num(n)), " ", term(short, about),
      note ? el("span", { class: "soft" }, ` (${note})`) : ""));
  }
  const levels = el("div", { class: "levels" });
  for (const name of LEVELS) {
    const found = D.summary.findings[name], all = found.new + found.known + found.allowed;
    const parts = [[found.new, "new"], [found.known, "known"], [found.allowed, "allowed"]].filter(([n]) => n).map(([n, w], k) => [k ? " + " : " = ", `${num(n)} `, term(w, MEANS[w])]).flat();
    levels.append(el("div", null, term(count(all, name), MEANS[name], `level ${name}`),
      el("span", { class: "soft" }, found.known || found.allowed ? parts : "",
        all && LEVELS.indexOf(name) > LEVELS.indexOf(D.level) ? " · counted, not listed" : "")));
  }
  // What they say in one line is for readers without the script.
  $("totals").hidden = true;
  $("overview").replaceChildren(
    el("div", { class: "card" }, el("h2", null, `${count(links, "link")} in ${count(D.summary.documents, "document")}`), bar, legend),
    el("div", { class: "card" }, el("h2", null, "Findings"), levels));
  const unreadable = D.summary.unreadable;
  const words = [...D.lines];
  if (unreadable) words.push(`${count(unreadable, "input")} could not be read and ${unreadable === 1 ? "was" : "were"} not checked.`);
  if (D.left) words.push(`${num(D.left)} more findings are counted above, but not in this page.`);
  $("words").replaceChildren(...words.map(line => el("p", { class: "soft" }, el("bdi", null, rich(line)))));
  rove($("overview"), ".term");
  roveByKey($("overview"), ".term");
}
function controls() {
  $("controls").hidden = false;
  $("views").replaceChildren(...VIEWS.map(([name, label]) =>
    el("button", { type: "button", role: "tab", "data-view": name, onclick: () => go({ view: name, at: "", ...(state.cause ? { cause: "", rule: "" } : {}) }) }, label)));
  roveByKey($("views"), "button");
  const perRule = D.rules.map(() => 0), perLevel = [0, 0, 0];
  let anyKnown = false;
  for (let i = 0; i < N; i++) { perRule[col("rule", i)]++; perLevel[col("level", i)]++; anyKnown = anyKnown || col("known", i) > 0; }
  const rules = D.rules.map((rule, r) => [rule, perRule[r]]).sort((a, b) => b[1] - a[1]);
  $("rule").replaceChildren(el("option", { value: "" }, "all rules"),
    ...rules.map(([rule, n]) => el("option", { value: rule.id, title: rule.id }, `${ruleWords(rule)} (${num(n)})`)));
  LEVELS.forEach((name, level) => {
    if (!perLevel[level]) return;
    const box = el("input", { type: "checkbox", value: name });
    box.addEventListener("change", () => {
      const boxes = [...$("levels").querySelectorAll("input")], on = boxes.filter(b => b.checked);
      go({ level: on.length === boxes.length ? "" : on.map(b => b.value).join(",") || "none", at: "" });
    });
    $("levels").append(el("label", null, box, levelTag(level), el("span", { class: "soft" }, num(perLevel[level]))));
  });
  $("freshbox").hidden = !anyKnown;
  $("q").addEventListener("input", () => go({ q: $("q").value, at: "" }, true));
  $("doc").addEventListener("input", () => go({ doc: $("doc").value, at: "" }, true));
  $("rule").addEventListener("change", () => go({ rule: $("rule").value, cause: "", at: "" }));
  $("fresh").addEventListener("change", () => go({ fresh: $("fresh").checked ? "1" : "", at: "" }));
  $("clear").addEventListener("click", () => go({ ...BLANK, view: state.view }));
  $("export").addEventListener("click", save);
  $("footer").replaceChildren(`baseref ${D.version}. A single file: it loads nothing and contains ${D.live ? "live links" : "no live links"}.`,
    el("span", { id: "keys" }, " Arrow keys move through the list, Enter opens, Escape closes."));
}
function crumbs() {
  const box = $("crumbs");
  if (state.view !== "folders") { box.replaceChildren(); return; }
  const { path } = openFolder(), made = [];
  ["all", ...path].forEach((name, k) => {
    if (k) made.push("/");
    const here = k === path.length;
    made.push(el("button", { type: "button", "aria-current": here ? "location" : null,
      onclick: () => go({ dir: path.slice(0, k).join("/") }) }, bdi(name)));
  });
  box.replaceChildren(...made);
}
function inputs() {
  for (const [id, value] of [["q", state.q], ["doc", state.doc], ["rule", state.rule]]) if ($(id).value !== value) $(id).value = value;
  for (const box of $("levels").querySelectorAll("input")) box.checked = !state.level || state.level.split(",").includes(box.value);
  $("fresh").checked = state.fresh !== "";
  for (const tab of $("views").children) tab.setAttribute("aria-selected", tab.dataset.view === state.view ? "true" : "false");
  rove($("views"), "button", VIEWS.findIndex(([name]) => name === state.view));
  const n = filter().length, narrowed = narrowing();
  $("count").textContent = n === N ? count(N, "finding") : `${num(n)} of ${count(N, "finding")}`;
  $("narrowed").hidden = narrowed.length === 0;
  $("only").replaceChildren(...narrowed.flatMap(([what, text], k) => [k ? "; " : "", `${what} `, bdi(text)]));
  $("export").disabled = n === 0;
}
// The filters that are on, in words.
function narrowing() {
  const rule = D.rules.find(r => r.id === state.rule), on = [];
  if (state.cause) on.push(["cause", state.cause]);
  if (state.rule) on.push(["rule", rule ? ruleWords(rule) : state.rule]);
  if (state.q) on.push(["with", state.q]);
  if (state.doc) on.push(["documents with", state.doc]);
  if (state.level) on.push(["severity", state.level.split(",").join(", ")]);
  if (state.fresh) on.push(["findings", "not in the baseline"]);
  return on;
}

// The findings that are looked at, as a table for a spreadsheet.
const CSV = [["document", i => docName(i)], ["line", i => col("line", i) || ""], ["column", i => col("column", i) || ""],
  ["severity", i => LEVELS[col("level", i)]], ["known", i => (col("known", i) ? "yes" : "no")], ["rule", i => ruleOf(i).id],
  ["cause", i => str("cause", i)], ["element", i => str("element", i)], ["value", i => str("raw", i)], ["url", i => str("url", i)],
  ["old_url", i => str("old", i)], ["new_url", i => str("next", i)], ["expected_url", i => str("expected", i)],
  ["message", i => str("message", i)], ["suggestions", i => str("suggestions", i).split("\n").join(" ")]];
function table(indices) {
  // A spreadsheet takes what begins like a formula for one.
  const cell = value => {
    const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
    return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const columns = CSV.filter(([name]) => D.moved || !["old_url", "new_url", "expected_url"].includes(name));
  const lines = [columns.map(([name]) => name).join(",")];
  for (const i of indices) lines.push(columns.map(([, of]) => cell(of(i))).join(","));
  return lines.join("\r\n") + "\r\n";
}
function save() {
  const address = URL.createObjectURL(new Blob(["\ufeff", table(filter())], { type: "text/csv;charset=utf-8" }));
  const link = el("a", { href: address, download: `baseref-${D.command}.csv` });
  link.click();
  URL.revokeObjectURL(address);
}

// All of it, whenever the address changes; the list only if it is another one.
let listed = null, crumbed = null;
function show() {
  readAddress();
  inputs();
  const { at, ...list } = state, key = JSON.stringify(list);
  if (key !== crumbed) { crumbs(); crumbed = key; }
  detail();
  document.documentElement.style.setProperty("--stick", `${stick() + 8}px`);
  if (key !== listed) { listed = key; setItems(); }
  else if (state.view === "findings" && at !== "") { const k = items.indexOf(Number(at)); if (k >= 0) active = k; }
  if (at !== "" && !narrow.matches) reveal();
  draw();
}

// A printer gets what is looked at: each cause with its first places, or each finding.
const PRINTED = 1000, PLACES = 10;
// The folder that all documents with findings are in: paper says it once.
function commonFolder() {
  const names = D.documents.name.map(name => S[name]);
  let common = names.length ? names[0] : "";
  for (const name of names) while (!name.startsWith(common)) common = common.slice(0, -1);
  return common.slice(0, common.lastIndexOf("/") + 1);
}
let within = "";
const printedPlace = i => bdi(place(i).slice(within.length), "mono");
// A place, and what is written there.
const printedLink = i => [printedPlace(i), str("raw", i) ? [": ", bdi(str("raw", i), "mono")] : ""].flat();
function printedCause(cause, places) {
  const i = cause.first, more = cause.n - places.length;
  return el("div", { class: "item" }, el("div", null, levelTag(cause.level), " ", bdi(str("cause", i), "mono")),
    el("div", null, `${ruleWords(ruleOf(i))}: ${count(cause.n, "finding")} in ${count(cause.docs, "document")}`),
    col("suggestions", i) ? el("div", null, "Did you mean ", bdi(str("suggestions", i).split("\n").join(" or "), "mono"), "?") : "",
    el("ul", { class: "places" }, places.map(at => el("li", null, printedLink(at))),
      more > 0 ? el("li", { class: "soft" }, `and ${num(more)} more`) : ""));
}
function printedFinding(i) {
  return el("div", { class: "item" }, el("div", null, levelTag(col("level", i)), known(i), " ", printedPlace(i)),
    el("div", null, bdi(str("raw", i) || str("cause", i), "mono"), ": ", el("bdi", null, rich(str("message", i))),
      col("suggestions", i) ? [" (did you mean ", bdi(str("suggestions", i).split("\n").join(" or "), "mono"), "?)"] : ""));
}
function printedFolder(entry) {
  const words = bads(entry.bad).map(([text]) => text).join(", ");
  return el("div", { class: "item" }, bdi(entry.name + (entry.file ? "" : "/"), "mono"), `: ${words || "nothing found"}, ${count(entry.links, "link")}`);
}
function print() {
  const on = narrowing().map(([what, text]) => `${what} ${text}`).join("; ");
  const all = view()[2](), taken = all.slice(0, PRINTED), made = [];
  made.push(el("h2", null, `${view()[1]}: ${count(filter().length, "finding")}`));
  if (on) made.push(el("p", { class: "soft" }, "Only ", bdi(on)));
  within = commonFolder();
  if (within && state.view !== "folders") made.push(el("p", { class: "soft" }, "Documents are named from ", bdi(within, "mono")));
  if (state.view === "causes") {
    const key = i => col("rule", i) * S.length + col("cause", i), places = new Map(taken.map(cause => [key(cause.first), []]));
    for (const i of filter()) {
      const kept = places.get(key(i));
      if (kept && kept.length < PLACES) kept.push(i);
    }
    for (const cause of taken) made.push(printedCause(cause, places.get(key(cause.first))));
  } else for (const item of taken) made.push(state.view === "messages" ? printedLetter(item) : state.view === "folders" ? printedFolder(item) : printedFinding(item));
  if (all.length > PRINTED) made.push(el("p", null, `The first ${num(PRINTED)} of ${num(all.length)} are printed; the list as CSV has all.`));
  $("print").replaceChildren(...made);
}

// The filters are folded away until one of them is in use.
const fold = () => { $("filterbox").open ||= ["doc", "rule", "level", "fresh"].some(key => state[key] !== ""); };
narrow.addEventListener("change", fold);
addEventListener("hashchange", show);
addEventListener("scroll", draw, { passive: true });
addEventListener("resize", () => { setItems(); document.documentElement.style.setProperty("--stick", `${stick() + 8}px`); });
addEventListener("beforeprint", print);
addEventListener("afterprint", () => $("print").replaceChildren());
overview();
controls();
show();
fold();
