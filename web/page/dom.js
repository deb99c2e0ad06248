"use strict";
// Elements, texts and numbers. Nothing of a file ever becomes markup: only text nodes are made.

const $ = id => document.getElementById(id);

/** An element with attributes and children; `null` children are left out. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined));
  return element;
}

const many = number => number.toLocaleString("en");

const counted = (number, one, more) => `${many(number)} ${number === 1 ? one : more}`;

function size(bytes) {
  if (bytes < 1000) return counted(bytes, "byte", "bytes");
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(0)} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
  return `${(bytes / 1e9).toFixed(2)} GB`;
}

/** Text of a file, with what cannot be seen, and what turns the order of text around, shown. */
function shown(text) {
  return String(text).replace(/[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    mark => `\\u{${mark.codePointAt(0).toString(16)}}`);
}

function say(text) {
  $("said").textContent = text;
  $("said").hidden = !text;
}

/** Saves bytes as a file of that name. */
function save(name, pieces, type) {
  const address = URL.createObjectURL(new Blob(pieces, {type}));
  const link = make("a", {href: address, download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
