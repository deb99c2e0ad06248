"use strict";
// A list of which only the rows in sight are drawn.

/** Browsers draw no element higher than some ten million pixels: a longer list is scrolled by its share. */
const HIGHEST = 8_000_000;

class List {
  constructor(box, space, rows, draw, choose) {
    Object.assign(this, {box, space, rows, draw, choose, count: 0, active: -1, height: 64});
    box.addEventListener("scroll", () => this.paint());
    box.addEventListener("keydown", event => this.key(event));
    new ResizeObserver(() => this.paint()).observe(box);
  }

  reset() {
    this.active = -1;
    this.box.scrollTop = 0;
    this.box.removeAttribute("aria-activedescendant");
  }

  set(count) {
    this.count = count;
    this.height = parseFloat(getComputedStyle(this.box).getPropertyValue("--row")) || 64;
    this.space.style.height = `${Math.min(count * this.height, HIGHEST)}px`;
    if (this.active >= count) this.active = -1;
    this.paint();
  }

  get inSight() {
    return Math.max(1, Math.floor(this.box.clientHeight / this.height));
  }

  /** The first row in sight, with how much of it is above. */
  get first() {
    const all = this.count * this.height;
    if (all <= HIGHEST) return this.box.scrollTop / this.height;
    const most = HIGHEST - this.box.clientHeight;
    return (this.box.scrollTop / most) * (this.count - this.box.clientHeight / this.height);
  }

  scrollTo(row) {
    const all = this.count * this.height;
    const room = this.count - this.box.clientHeight / this.height;
    this.box.scrollTop = all <= HIGHEST ? row * this.height
      : Math.min(1, row / room) * (HIGHEST - this.box.clientHeight);
  }

  paint() {
    const exact = this.first;
    const first = Math.max(0, Math.floor(exact) - 2);
    const last = Math.min(this.count, Math.ceil(exact) + this.inSight + 3);
    const drawn = [];
    for (let row = first; row < last; row++) {
      const element = this.draw(row);
      element.id = `row-${row}`;
      element.className = row === this.active ? "row active" : "row";
      element.setAttribute("role", "option");
      element.setAttribute("aria-selected", row === this.active);
      element.ariaPosInSet = String(row + 1);
      element.ariaSetSize = String(this.count);
      element.style.top = `${this.box.scrollTop + (row - exact) * this.height}px`;
      element.addEventListener("click", () => this.go(row, true));
      drawn.push(element);
    }
    this.rows.replaceChildren(...drawn);
  }

  /** Makes a row the active one, and brings it in sight. */
  go(row, isChosen) {
    if (!this.count) return;
    this.active = Math.max(0, Math.min(row, this.count - 1));
    const first = this.first;
    if (this.active < first) this.scrollTo(this.active);
    else if (this.active + 1 > first + this.box.clientHeight / this.height) {
      this.scrollTo(this.active + 1 - this.box.clientHeight / this.height);
    }
    this.box.setAttribute("aria-activedescendant", `row-${this.active}`);
    this.paint();
    if (isChosen) this.choose(this.active);
  }

  key(event) {
    const by = {ArrowDown: 1, ArrowUp: -1, PageDown: this.inSight, PageUp: -this.inSight}[event.key];
    if (by) this.go(this.active < 0 ? 0 : this.active + by);
    else if (event.key === "Home") this.go(0);
    else if (event.key === "End") this.go(this.count - 1);
    else if (event.key === "Enter" || event.key === " ") this.go(Math.max(0, this.active), true);
    else return;
    event.preventDefault();
  }
}
