// The list of moves.
import { make } from "./element.js";
import { say } from "./words.js";

export class Log {
  entries = [];

  constructor(list) {
    this.list = list;
  }

  /** Takes entries from an index on; what was there beyond it is gone. */
  take(entries, from) {
    this.entries = [...this.entries.slice(0, from), ...entries];
    if (!from || this.list.querySelector(".none")) this.list.replaceChildren();
    while (this.list.children.length > from) this.list.lastElementChild.remove();
    for (const entry of this.entries.slice(this.list.children.length)) this.list.append(line(entry));
    if (!this.entries.length) this.list.replaceChildren(make("li", { class: "none" }, say("no-moves")));
    this.list.scrollTop = this.list.scrollHeight;
  }
}

/** What somebody else did in secret is no line yet, though it has its place. */
function line({ n, text, code }) {
  return make("li", { hidden: !text && !code }, make("span", { class: "n" }, String(n)), make("span", { class: "sp" }, text), code && make("code", {}, code));
}
