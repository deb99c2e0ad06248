"use strict";
// The page: what was chosen is read, shown, searched and saved.

/** Up to this many bytes an audit runs at once; a larger one waits until it is asked for. */
const AUDITED_AT_ONCE = 64e6;

/** How many rows go on paper. */
const PRINTED = 2000;

const VIEWS = [["links", "Links"], ["bases", "Bases"], ["audit", "Audit"], ["troubles", "Not read"]];

let state = null;

const list = new List($("list"), $("space"), $("rows"), drawRow, openRow);

const asked = () => ({rules: $("rules").value, links: $("places").value, ...($("url").value.trim() ? {url: $("url").value.trim()} : {})});

function request(want, more = {}) {
  const files = state.choice.files.map(({path, file}) => ({path, size: file.size}));
  return {want, files, paths: state.choice.paths, ...state.asked, ...more};
}

const filesOf = choice => choice.files.map(({file}) => file);

/** Reads what was chosen: its links, its bases, and then the audit. */
async function read(choice) {
  cancel();
  say("");
  const own = {choice, asked: asked(), links: new Rows(), bases: new Rows(), troubles: [], findings: new Map(), found: 0,
    view: "links", filter: null, report: null, ended: "", isLarge: choice.size > AUDITED_AT_ONCE};
  state = own;
  $("results").hidden = false;
  document.body.classList.add("read");
  $("q").value = $("only").value = "";
  $("subject").textContent = shown(choice.paths.slice(0, 3).join(", ") + (choice.paths.length > 3 ? ` and ${choice.paths.length - 3} more` : ""));
  $("command").textContent = command();
  closeDetail();
  view("links");
  const steps = [
    ["Reading links", () => rowsOf("links", own.links)],
    ["Reading bases", () => rowsOf("bases", own.bases)],
  ];
  if (!own.isLarge) steps.push(["Auditing", () => auditOf()]);
  for (const [doing, step] of steps) {
    begin(doing);
    const how = await step();
    if (state !== own) return;
    update();
    if (how !== "done") {
      own.ended = how;
      break;
    }
  }
  end();
  update();
}

function begin(doing) {
  state.doing = doing;
  state.read = 0;
  $("run").hidden = false;
  progress(0);
}

function end() {
  state.doing = null;
  $("run").hidden = true;
  document.body.dataset.ended = state.ended || "done";
  if (state.ended && state.ended !== "cancelled") say(state.ended);
}

function progress(read) {
  state.read = read;
  // What is read twice counts once.
  const share = state.choice.size ? Math.min(1, read / state.choice.size) : 1;
  $("progress").value = share;
  $("doing").textContent = `${state.doing}: ${size(Math.min(read, state.choice.size))} of ${size(state.choice.size)}, ${counted(state.links.count, "link", "links")}`;
}

/** Takes rows of one kind. */
async function rowsOf(want, rows) {
  const own = state;
  const how = await carryOut(filesOf(own.choice), request(want), data => {
    if (data.rows && !rows.add(data.rows, data.ends)) {
      own.troubles.push({doc: "", code: "limit", loss: true, text: `only the first ${many(rows.count)} rows are shown: a page has no room for more; the command has`});
      cancel();
    }
    if (data.troubles && want === "links") own.troubles.push(...lines(data.troubles));
    if (data.read !== undefined) progress(data.read);
    if (data.rows) soon();
  });
  return how;
}

const lines = text => text.split("\n").filter(Boolean).map(line => JSON.parse(line));

/** Runs the audit twice: its findings go to the links, and its report is a page of its own. */
async function auditOf() {
  const own = state;
  const gathered = async (format, more) => {
    const pieces = [];
    const how = await carryOut(filesOf(own.choice), request("audit", {format, ...more}), data => {
      if (data.bytes) pieces.push(data.bytes);
      if (data.read !== undefined) progress(data.read);
    });
    return [how, new Blob(pieces, {type: format === "html" ? "text/html;charset=utf-8" : "application/x-ndjson"})];
  };
  const [how, report] = await gathered("html");
  if (how !== "done") {
    own.refused = how;
    // An audit of nothing that can be judged is no failure of the page.
    return how === "cancelled" ? how : "done";
  }
  own.report = report;
  const [, found] = await gathered("jsonl", {allLevels: true});
  for (const finding of lines(await found.text())) {
    if (finding.type !== "finding") continue;
    own.found++;
    const key = keyOf(finding);
    own.findings.set(key, [...(own.findings.get(key) ?? []), finding]);
  }
  return "done";
}

/** What a finding and the link that it is about have in common. */
const keyOf = row => JSON.stringify([row.doc, row.line ?? null, row.column ?? null, row.line ? null : row.raw]);

const findingsOf = row => state.findings.get(keyOf(row)) ?? [];

let isSoon = false;
/** Shows what has come, at most a few times a second. */
function soon() {
  if (isSoon) return;
  isSoon = true;
  setTimeout(() => { isSoon = false; update(); }, 150);
}

function tab([id, name]) {
  const count = {links: state.links.count, bases: state.bases.count, audit: state.report ? state.found : null, troubles: state.troubles.length}[id];
  return make("button", {type: "button", role: "tab", id: `view-${id}`, "data-view": id, "aria-selected": String(state.view === id),
    tabindex: state.view === id ? "0" : "-1", "aria-controls": id === "audit" ? "audit" : "list", on: {click: () => view(id), keydown: tabKey}},
  count === null ? name : `${name} (${many(count)})`);
}

function tabKey(event) {
  const by = {ArrowRight: 1, ArrowLeft: -1}[event.key];
  if (!by) return;
  const at = VIEWS.findIndex(([id]) => id === state.view);
  view(VIEWS[(at + by + VIEWS.length) % VIEWS.length][0]);
  $(`view-${state.view}`).focus();
}

function view(id) {
  state.view = id;
  closeDetail();
  list.reset();
  $("bar").hidden = id === "audit";
  $("split").hidden = id === "audit";
  $("audit").hidden = id !== "audit";
  $("filters").hidden = id !== "links";
  $("list").setAttribute("aria-label", VIEWS.find(([own]) => own === id)[1]);
  if (id === "audit") showAudit();
  update();
}

/** Shows the counts, the proof of the base and the rows that have come. */
function update() {
  if (!state) return;
  const focused = document.activeElement?.id;
  $("views").replaceChildren(...VIEWS.filter(([id]) => id !== "troubles" || state.troubles.length).map(tab));
  if (focused?.startsWith("view-")) $(focused)?.focus();
  if (state.bases.count === 1 && !$("proof").firstChild) $("proof").replaceChildren(make("details", {open: true}, make("summary", {}, "The base, and its proof"), proofOf(state.bases.row(0))));
  if (state.bases.count !== 1) $("proof").replaceChildren();
  if (state.filter) state.filter.go();
  const total = rowsInView();
  const shownRows = state.view === "links" && state.filter ? state.filter.found.length : total;
  list.set(shownRows);
  const noun = {links: ["link", "links"], bases: ["document", "documents"], troubles: ["note", "notes"], audit: ["", ""]}[state.view];
  const still = state.filter && state.filter.next < state.links.count && state.view === "links" ? ", still looking" : "";
  $("count").textContent = shownRows === total ? counted(total, ...noun) : `${many(shownRows)} of ${counted(total, ...noun)}${still}`;
  if (state.ended === "cancelled") $("count").textContent += "; the reading was cancelled";
}

function rowsInView() {
  return {links: state.links.count, bases: state.bases.count, troubles: state.troubles.length, audit: 0}[state.view];
}

const rowNumber = place => state.filter ? state.filter.found[place] : place;

function drawRow(at) {
  if (state.view === "bases") {
    const row = state.bases.row(at);
    return make("div", {}, make("div", {class: "to"}, make("bdi", {}, told(row.base ?? "no base"))),
      make("div", {class: "from soft"}, make("bdi", {}, shown(row.doc)), ` · ${row.base_at ?? "nothing declares one"}`));
  }
  if (state.view === "troubles") {
    const row = state.troubles[at];
    return make("div", {}, make("div", {class: row.loss ? "to level error" : "to"}, make("bdi", {}, told(row.text))),
      make("div", {class: "from soft"}, make("bdi", {}, shown(row.doc)), row.line ? `:${row.line}` : "", ` · ${row.code}`));
  }
  const row = state.links.row(rowNumber(at));
  const opened = unwrapped(row.url);
  const found = findingsOf(row);
  const to = opened ? opened.url : row.url;
  return make("div", {},
    make("div", {class: "to"},
      found.length ? make("span", {class: `badge ${found[0].level}`}, found[0].level) : null,
      opened ? make("span", {class: "badge"}, "unwrapped") : null,
      to === null ? make("span", {class: "level warning"}, ERRORS[row.error] ?? row.error) : make("bdi", {}, told(to))),
    make("div", {class: "from soft"}, row.text ? [make("q", {}, told(row.text)), " · "] : null, make("bdi", {}, told(row.raw)), " · ", make("bdi", {}, `${shown(row.doc)}${row.line ? `:${row.line}` : ""}`)));
}

function openRow(at) {
  const content = {
    links: () => { const row = state.links.row(rowNumber(at)); return linkDetail(row, findingsOf(row)); },
    bases: () => proofOf(state.bases.row(at)),
    troubles: () => [make("p", {}, told(state.troubles[at].text)), make("p", {class: "soft"}, shown(state.troubles[at].doc))],
  }[state.view]();
  $("detail").replaceChildren(make("button", {type: "button", class: "close", "aria-label": "Close details", on: {click: closeDetail}}, "Close"), ...content.flat(2).filter(Boolean));
  $("detail").hidden = false;
  $("split").classList.add("open");
  $("detail").focus();
}

function closeDetail() {
  if ($("detail").hidden) return;
  $("detail").hidden = true;
  $("split").classList.remove("open");
  $("list").focus();
}

/** The report, in a frame that has nothing of this page, or why there is none yet. */
async function showAudit() {
  const own = state;
  if (own.report) {
    if ($("audit").dataset.of === own.reportAddress && own.reportAddress) return;
    own.reportAddress = URL.createObjectURL(own.report);
    $("audit").dataset.of = own.reportAddress;
    $("audit").replaceChildren(make("iframe", {title: "The report of the audit", sandbox: "allow-scripts allow-downloads", src: own.reportAddress}));
    return;
  }
  $("audit").dataset.of = "";
  if (own.refused) {
    $("audit").replaceChildren(make("p", {}, shown(own.refused)));
  } else if (own.doing) {
    $("audit").replaceChildren(make("p", {}, "The audit comes after the links."));
  } else {
    const start = async () => {
      begin("Auditing");
      $("audit").replaceChildren(make("p", {}, "The audit runs."));
      own.ended = await auditOf();
      if (own.ended === "done") own.ended = "";
      if (state !== own) return;
      end();
      if (own.view === "audit") showAudit();
      update();
    };
    $("audit").replaceChildren(
      make("p", {}, `${size(own.choice.size)} are audited when you ask for it: whether every link leads where its author thinks.`),
      make("button", {type: "button", class: "main", id: "start-audit", on: {click: start}}, "Audit"));
  }
}

/** Whether a row passes the filters. */
function passing() {
  // What was copied from here is defanged.
  const plain = $("q").value.trim().toLowerCase().replace(/^hxxp/, "http").replaceAll("[.]", ".").replaceAll("[@]", "@");
  const only = $("only").value;
  if (!plain && !only) return null;
  const has = text => typeof text === "string" && text.toLowerCase().includes(plain);
  const kinds = {
    "": () => true,
    web: row => /^https?:/i.test(row.url ?? ""),
    wrapped: row => unwrapped(row.url) !== null,
    disagree: row => findingsOf(row).length > 0,
    elsewhere: row => "browser_url" in row,
    error: row => row.url === null,
  };
  return row => kinds[only](row) && (!plain || has(row.url) || has(row.raw) || has(row.text) || has(row.doc) || has(unwrapped(row.url)?.url));
}

function filter() {
  if (state.filter) state.filter.isOver = true;
  const passes = passing();
  state.filter = passes ? new Filter(state.links, passes, update) : null;
  list.reset();
  closeDetail();
  update();
}

function command() {
  const quoted = text => /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
  const {rules, links, url} = state.asked;
  const options = [rules === "rfc1808" ? "" : `--resolver ${rules}`, links === "anchors" ? "" : "--links all", url ? `-u ${quoted(url)}` : ""];
  return ["baseref links", ...options.filter(Boolean), "-f jsonl", ...state.choice.paths.slice(0, 3).map(quoted), ...(state.choice.paths.length > 3 ? ["…"] : [])].join(" ");
}

/** Saves the rows that pass the filters. What is not kept is written by the library once more. */
async function saveAs(kind) {
  const own = state;
  const name = own.choice.paths.length === 1 ? own.choice.paths[0] : "baseref";
  if (kind === "jsonl" && own.view !== "bases") {
    return save(`${name}.links.jsonl`, own.links.pieces(own.filter?.found), "application/x-ndjson");
  }
  if (kind === "jsonl") return save(`${name}.bases.jsonl`, own.bases.pieces(), "application/x-ndjson");
  if (kind === "html") {
    if (!own.report) {
      view("audit");
      return;
    }
    return save(`${name}.audit.html`, [own.report], "text/html;charset=utf-8");
  }
  if (own.doing) return say("It is still being read.");
  const rows = new Rows();
  const want = own.view === "bases" ? "bases" : "links";
  begin("Writing");
  const how = await carryOut(filesOf(own.choice), request(want, {format: "csv", unwrap: kind === "unwrap"}), data => {
    if (data.rows && !rows.add(data.rows, data.ends)) cancel();
    if (data.read !== undefined) progress(data.read);
  });
  if (state !== own) return;
  end();
  if (how !== "done") return say(how === "cancelled" ? "Nothing was saved." : how);
  // The header of the table is its first row.
  const chosen = want === "links" && own.filter ? [0, ...own.filter.found.map(row => row + 1)] : null;
  save(`${name}.${want}.csv`, rows.pieces(chosen), "text/csv;charset=utf-8");
}

/** The rows in view, for a printer: a list that is scrolled has no others. */
function print() {
  if (!state) return;
  const count = Math.min(list.count, PRINTED);
  const rows = Array.from({length: count}, (_, at) => drawRow(at));
  $("print").replaceChildren(...rows, make("p", {}, count < list.count ? `${many(list.count - count)} more are not printed.` : ""));
}

wireChoice(read);
for (const id of ["rules", "places", "url"]) $(id).addEventListener("change", () => { if (state) read(state.choice); });
$("q").addEventListener("input", filter);
$("only").addEventListener("change", filter);
$("defang").addEventListener("change", () => { closeDetail(); $("proof").replaceChildren(); update(); });
$("cancel").addEventListener("click", () => cancel());
for (const button of document.querySelectorAll("[data-save]")) button.addEventListener("click", () => saveAs(button.dataset.save));
addEventListener("keydown", event => {
  if (event.key !== "Escape") return;
  if (!$("detail").hidden) closeDetail();
  else cancel();
});
addEventListener("beforeprint", print);
addEventListener("afterprint", () => $("print").replaceChildren());
library.then(() => { document.body.dataset.ready = "yes"; if (state) update(); }, error => say(`This browser cannot run it: ${error.message}`));
