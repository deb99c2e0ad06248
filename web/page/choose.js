"use strict";
// Files and folders that are dropped, chosen or pasted.

/** More files than this are a mistake, such as a whole home folder. */
const MOST_FILES = 200_000;

/** What was chosen: files with their paths, and what was named of them. */
class Choice {
  constructor() {
    this.files = [];
    this.paths = [];
    this.known = new Set();
    this.hasFolder = false;
  }

  /** A path of its own for what is named on top. */
  top(name) {
    let path = name;
    for (let k = 2; this.known.has(path); k++) path = `${name} (${k})`;
    this.known.add(path);
    this.paths.push(path);
    return path;
  }

  add(path, file) {
    if (this.files.length === MOST_FILES) throw new Error(`there are more than ${many(MOST_FILES)} files`);
    this.files.push({path, file});
  }

  get size() {
    return this.files.reduce((sum, {file}) => sum + file.size, 0);
  }
}

/** What a folder that was chosen holds: each file knows its path from there. */
function ofInput(files) {
  const choice = new Choice();
  const tops = new Map();
  for (const file of files) {
    const path = file.webkitRelativePath;
    if (!path) {
      choice.add(choice.top(file.name), file);
      continue;
    }
    const top = path.split("/", 1)[0];
    if (!tops.has(top)) tops.set(top, choice.top(top));
    choice.hasFolder = true;
    choice.add(tops.get(top) + path.slice(top.length), file);
  }
  return choice;
}

/** What is in a drop; entries must be asked for before anything is waited for. */
async function ofDrop(transfer) {
  const items = [...transfer.items].filter(item => item.kind === "file");
  const entries = items.map(item => item.webkitGetAsEntry?.() ?? item.getAsFile());
  if (!items.length) {
    const text = ofText(transfer);
    if (text) return text;
  }
  const choice = new Choice();
  for (const entry of entries.filter(Boolean)) {
    if (entry instanceof File) choice.add(choice.top(entry.name), entry);
    else await addEntry(choice, entry, choice.top(entry.name));
  }
  return choice;
}

/** A file, or a folder with all that is in it; a folder gives its names some at a time. */
async function addEntry(choice, top, path) {
  const waiting = [[top, path]];
  while (waiting.length) {
    const [entry, path] = waiting.pop();
    if (entry.isFile) {
      choice.add(path, await new Promise((resolve, reject) => entry.file(resolve, reject)));
      continue;
    }
    choice.hasFolder = true;
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (!some.length) break;
      for (const child of some) waiting.push([child, `${path}/${child.name}`]);
    }
  }
}

/** Text of the clipboard: source if it looks so, or else the markup that a program copied with it. */
function ofText(transfer) {
  const plain = transfer.getData("text/plain");
  const markup = transfer.getData("text/html");
  const isSource = /^\s*(<|[A-Za-z][A-Za-z0-9-]*:[ \t])/.test(plain);
  return ofSource(isSource || !markup ? plain : markup);
}

function ofSource(text) {
  if (!text.trim()) return null;
  const choice = new Choice();
  choice.add(choice.top("pasted"), new File([text], "pasted"));
  return choice;
}

function wireChoice(read) {
  const take = async choosing => {
    try {
      const choice = await choosing;
      if (choice && choice.files.length) read(choice);
      else say("There was nothing to read in it.");
    } catch (error) {
      say(`It could not be read: ${error.message}`);
    }
  };
  $("choose-files").addEventListener("click", () => $("files").click());
  $("choose-folder").addEventListener("click", () => $("folder").click());
  for (const id of ["files", "folder"]) {
    $(id).addEventListener("change", () => {
      take(ofInput($(id).files));
      // So that the same file can be chosen again.
      $(id).value = "";
    });
  }
  $("read-source").addEventListener("click", () => take(ofSource($("source").value)));
  let depth = 0;
  const over = by => {
    depth = Math.max(0, depth + by);
    document.body.classList.toggle("over", depth > 0);
  };
  addEventListener("dragenter", event => { event.preventDefault(); over(1); });
  addEventListener("dragleave", () => over(-1));
  addEventListener("dragover", event => event.preventDefault());
  addEventListener("drop", event => {
    event.preventDefault();
    depth = 0;
    over(0);
    take(ofDrop(event.dataTransfer));
  });
  addEventListener("paste", event => {
    if (event.target.closest?.("textarea, input")) return;
    const {files} = event.clipboardData;
    take(files.length ? ofInput(files) : ofText(event.clipboardData));
  });
}
