"use strict";
// Runs in a worker: reads the files in pieces, and posts what is found. It keeps nothing.

/** How often progress is told, in milliseconds. */
const TELL = 100;

let files = [];
let read = 0;
let told = 0;
let begun = 0;
let skip = 0;
let panic = "";
const reader = new FileReaderSync();

function baserefRead(number, from, piece) {
  try {
    const file = files[number];
    const bytes = new Uint8Array(reader.readAsArrayBuffer(file.slice(from, from + piece.length)));
    piece.set(bytes);
    read += bytes.length;
    const now = performance.now();
    if (now - told > TELL) {
      told = now;
      postMessage({read});
    }
    return bytes.length;
  } catch {
    return -1;
  }
}

/** Rows that an earlier worker has posted, before it ended in a fault, are not posted again. */
function baserefRows(bytes, ends) {
  const known = Math.min(skip, ends.length);
  skip -= known;
  if (known === ends.length) return;
  const from = known ? ends[known - 1] : 0;
  const rows = bytes.slice(from);
  const places = ends.slice(known);
  for (let k = 0; k < places.length; k++) places[k] -= from;
  postMessage({rows, ends: places}, [rows.buffer, places.buffer]);
}

function baserefBytes(bytes) {
  const copy = bytes.slice();
  postMessage({bytes: copy}, [copy.buffer]);
}

function baserefTroubles(lines) {
  postMessage({troubles: new TextDecoder().decode(lines)});
}

function baserefBegins() {
  begun++;
}

function baserefPanicked(said) {
  panic = said;
}

onmessage = ({data}) => {
  files = data.files;
  skip = data.skip;
  try {
    wasm_bindgen.initSync({module: data.module});
    const refused = wasm_bindgen.answer(JSON.stringify(data.request));
    postMessage({read});
    postMessage(refused === undefined ? {done: true} : {refused});
  } catch (error) {
    postMessage({fault: {at: begun, said: panic || `there was no memory left, or a fault in baseref: ${error}`}});
  }
};
