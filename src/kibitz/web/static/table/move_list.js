// The list of moves, with what people did in between.
import { make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { missingLines } from "./earlier_lines.js";

export class MoveList {
  entries = [];
  lines = [];
  noted = "";
  /** True while earlier lines are missing. */
  isShort = false;

  /** `jump(n)` is asked for the position after a line. */
  constructor(list, jump) {
    this.list = list;
    this.jump = jump;
  }

  /** Marks the line that is looked at; 0 or null for none. */
  mark(n) {
    this.lines.forEach((line, i) => line.classList.toggle("now", i + 1 === n));
    const line = this.lines[n - 1];
    if (!line) return;
    // Only the list: the page stays where it is.
    const { offsetTop: top, offsetHeight: height } = line;
    const { clientHeight: room, scrollTop } = this.list;
    if (top < scrollTop || top + height > scrollTop + room) this.list.scrollTop = top - room / 2;
  }

  /** Takes entries from an index on; what was there beyond it is gone. Notes come as a whole. */
  take(entries, from, notes) {
    const known = this.entries.slice(0, from);
    if (known.length < from) this.isShort = true;
    this.entries = [...known, ...missingLines(known.length, from), ...entries];
    while (this.lines.length > from) this.lines.pop().remove();
    const added = this.entries.slice(this.lines.length).map((entry) => line(entry, this.jump));
    this.lines.push(...added);
    this.list.append(...added);
    this.noted = "";
    this.note(notes);
  }

  /** Puts earlier lines in their places, once they have come. */
  fill(entries) {
    for (const entry of entries) {
      if (!this.lines[entry.n - 1]) continue;
      const put = line(entry, this.jump);
      this.lines[entry.n - 1].replaceWith(put);
      this.lines[entry.n - 1] = put;
      this.entries[entry.n - 1] = entry;
    }
  }

  note(notes) {
    const look = JSON.stringify(notes);
    if (look === this.noted) return;
    this.noted = look;
    for (const old of this.list.querySelectorAll(".note, .none")) old.remove();
    for (const { after, text } of [...notes].reverse()) {
      const note = make("li", { class: "note" }, text);
      const before = this.lines[Math.min(after, this.lines.length) - 1];
      if (before) before.after(note);
      else this.list.prepend(note);
    }
    if (!this.list.children.length) this.list.append(make("li", { class: "none" }, say("no-moves")));
    this.list.scrollTop = this.list.scrollHeight;
  }
}

/** A turn of several lines has a heading over the first. What somebody else did in secret is no line yet, though it has its place. */
function line({ n, text, code, turn }, jump) {
  const parts = [make("span", { class: "n" }, String(n)), make("span", { class: "sp" }, text), code && make("code", {}, code)];
  const head = turn ? make("span", { class: "turn-head" }, turn) : null;
  const jumps = make("button", { class: "jump", type: "button", onclick: () => jump(n) }, ...parts);
  return make("li", { hidden: !text && !code, class: turn ? "begins" : null }, head, jumps);
}
