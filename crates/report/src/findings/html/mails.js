// Messages as cards: who wrote them, and where their links lead. Everything in them is defanged.
const MAIL_ENDS = { opaque: "only the service knows where it leads", undecodable: "what is wrapped is damaged",
  "bad-target": "what is wrapped is no address of the web", loop: "it leads back to itself", depth: "it is wrapped too often",
  "too-long": "it is too long to be opened" };
// The message that a finding is in; -1 for none.
let mailsByName = null;
function mailOf(i) {
  mailsByName ||= new Map(D.mails.map((mail, k) => [S[mail.name], k]));
  const name = docName(i).replace(/!.*$/, ""), k = mailsByName.get(name) ?? mailsByName.get(name.replace(/\/[\d.]+$/, ""));
  return k === undefined ? -1 : k;
}
// The messages with findings that pass the filters, each with these.
let mailItems = [], mailItemsFor = null;
function mailsFound() {
  const all = filter();
  if (mailItemsFor === foundFor) return mailItems;
  const items = new Map();
  for (const i of all) {
    const k = mailOf(i);
    if (k < 0) continue;
    let item = items.get(k);
    if (!item) items.set(k, item = { k, mail: D.mails[k], found: [], level: 2 });
    item.found.push(i);
    item.level = Math.min(item.level, col("level", i));
  }
  mailItems = [...items.values()].sort((a, b) => a.level - b.level || a.k - b.k);
  mailItemsFor = foundFor;
  return mailItems;
}
const mailsView = () => ["messages", "Messages", mailsFound, item => [
  el("div", { class: "main" }, levelTag(item.level), " ", bdi(S[item.mail.subject] || "(no subject)")),
  el("div", { class: "end soft" }, S[item.mail.date].slice(0, 10)),
  el("div", { class: "sub" }, bdi(S[item.mail.from] || "(no sender)"),
    ` · ${count(item.found.length, "finding")}, ${count(item.mail.links.length + item.mail.left, "link")}`),
], item => go({ at: `m${item.k}` })];
// The links of a message; those with findings first say which.
function mailLinks(mail, found) {
  const byUrl = new Map();
  for (const i of found) {
    const at = byUrl.get(col("url", i));
    if (col("url", i) && (at === undefined || col("level", i) < col("level", at))) byUrl.set(col("url", i), i);
  }
  return el("ul", { class: "mail-links" }, mail.links.map(([text, url, target, through, end]) => {
    const at = byUrl.get(url);
    return el("li", null,
      el("div", null, at === undefined ? "" : [levelTag(col("level", at)), " "], text ? bdi(S[text]) : el("span", { class: "soft" }, "no text")),
      el("div", { class: "leads" }, el("span", { class: "arrow", "aria-label": "leads to" }, "→"), bdi(S[target], "mono")),
      through || end ? el("div", { class: "soft" }, through ? ["through ", bdi(S[through])] : "", end ? `${through ? ": " : ""}${MAIL_ENDS[S[end]] || S[end]}` : "") : "",
      at === undefined ? "" : el("div", { class: "soft" }, ruleWords(ruleOf(at))));
  }), mail.left ? el("li", { class: "soft" }, `and ${count(mail.left, "more link")}`) : "");
}
function mailHead(mail) {
  const field = (name, text) => (text ? [el("dt", null, name), el("dd", null, bdi(text))] : "");
  return el("dl", null, field("from", S[mail.from]), field("date", S[mail.date]), field("in", S[mail.name]));
}
// Shows a message in place of a finding, if the address names one.
function mailDetail() {
  const item = /^m\d+$/.test(state.at) ? mailsFound().find(one => one.k === Number(state.at.slice(1))) : null;
  if (!item) return false;
  const panel = $("detail"), was = !panel.hidden, rules = new Map();
  for (const i of item.found) rules.set(col("rule", i), (rules.get(col("rule", i)) || 0) + 1);
  $("split").classList.add("open");
  panel.hidden = false;
  panel.replaceChildren(
    el("div", { class: "top" }, levelTag(item.level),
      el("button", { type: "button", id: "close", onclick: () => { go({ at: "" }); $("list").focus({ preventScroll: true }); } }, "Close")),
    el("h2", null, bdi(S[item.mail.subject] || "(no subject)")), mailHead(item.mail),
    el("h3", null, "Findings"), el("ul", { class: "mail-rules" }, [...rules].map(([rule, n]) =>
      el("li", null, ruleWords(D.rules[rule]), n > 1 ? el("span", { class: "soft" }, ` (${num(n)})`) : ""))),
    el("p", null, el("button", { type: "button", onclick: () => go({ view: "findings", doc: S[item.mail.name], at: "" }) }, "List them")),
    el("h3", null, "Links, defanged"), mailLinks(item.mail, item.found));
  panel.scrollTop = 0;
  if (!was && narrow.matches) panel.focus({ preventScroll: true });
  return true;
}
// In the details of a finding: its message.
function mailOfFinding(i) {
  const k = mailOf(i);
  if (k < 0) return null;
  const mail = D.mails[k];
  return [el("h3", null, "Message"), el("p", null, bdi(S[mail.subject] || "(no subject)")), mailHead(mail),
    el("p", null, el("button", { type: "button", onclick: () => go({ view: "messages", at: `m${k}` }) }, "Show its links"))];
}
const printedLetter = item => el("div", { class: "item" },
  el("div", null, levelTag(item.level), " ", bdi(S[item.mail.subject] || "(no subject)")), mailHead(item.mail),
  mailLinks(item.mail, item.found));
