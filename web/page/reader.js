"use strict";
// Workers: one at a time carries out a request. To cancel is to end it.

/** How often a request begins anew after a panic, each time without what led to it. */
const FAULTS = 16;

const library = (async () => {
  const packed = Uint8Array.from(atob($("wasm").textContent), letter => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
  return module;
})();

/** What this thread asks of the library about a single URL or text. */
let small = null;
library.then(async module => {
  await wasm_bindgen({module_or_path: module});
  small = wasm_bindgen;
});

const workerAddress = (() => {
  const source = new Blob([$("worker-source").textContent], {type: "text/javascript"});
  const address = URL.createObjectURL(source);
  if (!window.trustedTypes) return address;
  // The one script that is ever made: the worker's, from this page.
  const policy = trustedTypes.createPolicy("baseref", {createScriptURL: url => url});
  return policy.createScriptURL(address);
})();

let current = null;

/**
 * Carries out a request on files. `take` gets what the worker posts; the promise is fulfilled with
 * "done" or "cancelled", or with the reason for which nothing was done.
 */
async function carryOut(files, request, take) {
  cancel();
  const run = {worker: null, rows: 0, faults: [], end: null};
  const ended = new Promise(end => { run.end = end; });
  current = run;
  const module = await library;
  const begin = () => {
    run.worker = new Worker(workerAddress);
    run.worker.onmessage = ({data}) => {
      if (current !== run) return;
      if (data.ends) run.rows += data.ends.length;
      if (data.fault) {
        run.worker.terminate();
        const isLast = run.faults.length === FAULTS || run.faults.some(known => known.at === data.fault.at);
        if (isLast || data.fault.at === 0) {
          run.end(data.fault.said);
        } else {
          run.faults.push(data.fault);
          begin();
        }
      } else if (data.done) {
        run.end("done");
      } else if (data.refused !== undefined) {
        run.end(data.refused);
      } else {
        take(data);
      }
    };
    run.worker.onerror = event => run.end(`a fault in baseref: ${event.message}`);
    run.worker.postMessage({module, files, request: {...request, faults: run.faults}, skip: run.rows});
  };
  if (current === run) begin();
  const how = await ended;
  run.worker?.terminate();
  if (current === run) current = null;
  return how;
}

function cancel() {
  if (!current) return;
  const run = current;
  current = null;
  run.worker?.terminate();
  run.end("cancelled");
}
