"use strict";
// Rows as the library wrote them: bytes, and the places where they end. One is parsed when it is shown.

/** How many bytes of rows are kept: a browser ends a page that wants more. */
const ROOM = 1 << 30;

/** How long a filter works before the page may do something else, in milliseconds. */
const SLICE = 12;

class Rows {
  constructor() {
    this.chunks = [];
    this.count = 0;
    this.bytes = 0;
  }

  /** Adds rows; gives whether there was room. */
  add(bytes, ends) {
    if (this.bytes + bytes.length > ROOM) return false;
    this.chunks.push({first: this.count, bytes, ends});
    this.count += ends.length;
    this.bytes += bytes.length;
    return true;
  }

  /** The chunk that has a row. */
  chunkOf(row) {
    let low = 0, high = this.chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.chunks[middle].first <= row) low = middle; else high = middle - 1;
    }
    return this.chunks[low];
  }

  line(row) {
    const {first, bytes, ends} = this.chunkOf(row);
    const place = row - first;
    return bytes.subarray(place ? ends[place - 1] : 0, ends[place]);
  }

  row(row) {
    return JSON.parse(new TextDecoder().decode(this.line(row)));
  }

  /** The bytes of some rows, or of all. */
  pieces(chosen) {
    return chosen ? chosen.map(row => this.line(row)) : this.chunks.map(chunk => chunk.bytes);
  }
}

/** The numbers of the rows that pass, found a slice at a time; a newer filter ends an older one. */
class Filter {
  constructor(rows, passes, tell) {
    Object.assign(this, {rows, passes, tell, found: [], next: 0, isOver: false, isWorking: false});
  }

  /** Goes on, as far as there are rows. */
  async go() {
    if (this.isWorking || this.next >= this.rows.count) return;
    this.isWorking = true;
    while (!this.isOver && this.next < this.rows.count) {
      const until = performance.now() + SLICE;
      while (this.next < this.rows.count && performance.now() < until) {
        for (let k = 0; k < 64 && this.next < this.rows.count; k++, this.next++) {
          if (this.passes(this.rows.row(this.next))) this.found.push(this.next);
        }
      }
      this.tell();
      await new Promise(resolve => setTimeout(resolve));
    }
    this.isWorking = false;
    if (!this.isOver) this.tell();
  }
}
