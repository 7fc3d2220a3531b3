// The stage line: one line that tells what happens while it is shown. What was told before is a touch away.
// It is not read out: whoever listens has heard it already.
import { icon, make } from "../../lib/dom.js";
import { say } from "../../lib/i18n.js";
import { openSheet } from "../../lib/overlay/dialog.js";

/** So many of the latest lines can be read again. */
const MAX_LINES = 12;
const BETWEEN = " \u00b7 ";
/** In the place of what was told first, where not all of it has room. */
const EARLIER = "\u2026 ";

export class StageLine {
  /** The latest, in the order they were told. */
  lines = [];
  /** What the line tells, and the sentence around it. */
  parts = [];
  sentence = (text) => text;

  /** `again()` shows once more what others did; it is offered where `canShow`. */
  constructor(room, again) {
    this.words = make("button", { class: "words", type: "button", "aria-label": say("what-happened"), disabled: true, onclick: () => this.open() });
    this.replay = make("button", { class: "btn sm ghost only", type: "button", "aria-label": say("show-again"), title: say("show-again"), hidden: true,
      onclick: () => again() }, icon("again", "s"));
    room.append(this.words, this.replay);
    new ResizeObserver(() => this.fit()).observe(this.words);
  }

  get text() {
    return this.sentence(this.parts.join(BETWEEN));
  }

  /** What a view tells; nothing where it is silent: then the last line stays. */
  tell({ short_texts: texts }) {
    if (!texts.length) return;
    this.lines = [...this.lines, ...texts].slice(-MAX_LINES);
    this.show(texts);
  }

  /** Somebody's turn has come: all that happened meanwhile, if that is more than the line says. */
  recall({ recap }) {
    if (!this.lines.length) this.lines = [...recap];
    if (!recap.length || recap.join(BETWEEN) === this.text) return;
    if (recap.length > 1 || this.text) this.show(recap, (text) => say("since-turn", { text }));
    else this.show(recap);
  }

  /** Whether others did something that can be shown again. */
  offerAgain(canShow) {
    this.replay.hidden = !canShow;
  }

  show(parts, sentence = (text) => text) {
    Object.assign(this, { parts, sentence });
    this.words.title = this.text;
    this.words.disabled = !this.text;
    this.fit();
  }

  /** Write what has room, the latest always, small if need be: all of it is a touch away. */
  fit() {
    const span = make("span", {});
    this.words.replaceChildren(span);
    for (let first = 0; first === 0 || first < this.parts.length; first += 1) {
      const text = this.parts.slice(first).join(BETWEEN);
      span.textContent = this.sentence(first ? EARLIER + text : text);
      if (span.scrollHeight <= span.clientHeight + 1) return;
    }
    span.className = "small";
  }

  /** Nothing that only one may know stays. */
  clear() {
    this.lines = [];
    this.show([]);
    this.offerAgain(false);
  }

  open() {
    const list = make("ol", { class: "told" }, ...this.lines.map((text) => make("li", {}, text)));
    const room = openSheet(say("what-happened"), list);
    room.querySelector("li:last-child")?.scrollIntoView({ block: "nearest" });
  }
}
