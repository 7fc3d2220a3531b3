// Looking back: any earlier position of the match, as whoever looks saw it; with slider, buttons and keys.
import { drawAdvice } from "../board/marks.js";
import { showStatus } from "../board/status.js";
import { TALL } from "../lib/breakpoints.js";
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { closeSheet, openSheet } from "../lib/overlay/dialog.js";
import { API, ROOT } from "../lib/paths.js";
import { readingMs, Wait } from "../lib/settings/pace.js";
import { showChances } from "../pages/evaluation.js";
import { showSeats } from "./seats.js";

const bar = document.getElementById("replay");
const MOVE_MS = 1300;
/** How long the last of what is shown again stays. */
const LAST_MOVE_MS = 900;

export class Replay {
  /** After how many actions we look; null in the present. */
  at = null;
  /** The others' turn is being shown again: there is nothing to steer, and the dock stays as high as it is. */
  isAgain = false;
  isFull = false;
  isOver = false;
  playing = 0;
  reading = new Wait();
  frames = new Map();
  /** The places along which an arrow shows what was better; none by itself. */
  better = [];

  /** `address` answers for each number with a position of the past. */
  constructor(match, log, address) {
    this.match = match;
    this.log = log;
    this.address = address;
    this.slider = make("input", { type: "range", min: 0, max: 0, step: 1, "aria-label": say("replay"), oninput: () => this.goTo(Number(this.slider.value)) });
    this.full = make("label", { class: "check full" }, make("input", { type: "checkbox", onchange: ({ target }) => this.reveal(target.checked) }),
      say("replay-full"));
    this.chances = make("button", { class: "btn sm", type: "button", onclick: () => this.openChances() }, icon("seek", "s"), say("chances"));
    this.under = make("div", { class: "row" }, this.full, this.chances);
    bar.append(
      make("div", { class: "row" },
        this.button("first", say("replay-first"), () => this.goTo(0)),
        this.button("before", say("replay-before"), () => this.step(-1)),
        this.slider,
        this.button("after", say("replay-after"), () => this.step(1)),
        this.button("play", say("replay-play"), () => this.run())),
      this.under);
  }

  button(name, label, does) {
    return make("button", { class: "btn sm only", type: "button", "aria-label": label, onclick: () => { this.stop(); does(); } }, icon(name));
  }

  get last() {
    return this.log.entries.length;
  }

  /** The match went on, or ended: then everything may be seen. */
  tell() {
    this.slider.max = this.last;
    this.isOver = Boolean(this.match.view.outcome);
    this.under.hidden = !this.isOver;
    this.frames.clear();
    if (this.at !== null && !this.match.past) this.end();
  }

  open() {
    this.goTo(this.isOver ? 0 : this.last);
  }

  /** One further, or one back; past the last one the present is. */
  step(by) {
    const next = (this.at ?? this.last) + by;
    if (next > this.last) this.end();
    else if (next >= 0) this.goTo(next);
  }

  async goTo(n, better = []) {
    const isNext = this.at !== null && n === this.at + 1;
    this.at = n;
    this.better = better;
    this.show();
    const frame = await this.frame(n);
    if (this.at !== n) return;
    if (!frame) {
      this.end();
      return;
    }
    showStatus(frame.status);
    showSeats(document.getElementById("seats"), this.match.view.seats, frame.status, true, this.match.view.table.spectators);
    if (n < this.last) this.frame(n + 1);
    drawAdvice(this.match.board, null);
    await this.match.showPast(frame, isNext);
    if (this.better === better && better.length) drawAdvice(this.match.board, { path: better, marks: [{ kind: "way", places: better, after: better.length }] });
  }

  /** Shows once more what came after so many actions, one after the other, and then the present. */
  async again(n) {
    this.stop();
    this.isAgain = true;
    await this.goTo(n);
    for (let at = n; this.at === at && at < this.last; at += 1) {
      await this.goTo(at + 1);
      await this.reading.begin(Math.max(LAST_MOVE_MS, readingMs(this.log.entries[at]?.text ?? "", false)));
    }
    if (this.at === this.last) this.end();
    this.isAgain = false;
    this.show();
    this.match.bar.show();
  }

  /** A position of the past, asked for once. */
  frame(n) {
    const key = `${n} ${this.isFull} ${TALL.matches}`;
    if (!this.frames.has(key)) {
      const asked = fetch(`${this.address}/${n}?is_tall=${TALL.matches}&is_full=${this.isFull}`)
        .then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
      this.frames.set(key, asked);
      asked.then((found) => found || this.frames.delete(key));
    }
    return this.frames.get(key);
  }

  reveal(isFull) {
    this.isFull = isFull;
    this.goTo(this.at ?? this.last);
  }

  /** How likely whom was to win all along; a link in it leads to its move. */
  openChances() {
    this.stop();
    const room = make("div", { class: "chances-sheet", onclick: ({ target }) => target.closest("a") && closeSheet() });
    openSheet(say("chances"), room, { kind: "tall" });
    showChances(this.address.replace(`${API}/tables`, `${ROOT}/t`).replace(/positions$/, "chances"), room);
  }

  run() {
    if (this.at === null || this.at >= this.last) this.goTo(0);
    this.playing = setInterval(() => (this.at < this.last ? this.step(1) : this.stop()), MOVE_MS);
  }

  stop() {
    clearInterval(this.playing);
    this.playing = 0;
  }

  end() {
    this.stop();
    this.at = null;
    this.isAgain = false;
    this.better = [];
    this.show();
    showStatus(this.match.view.status);
    this.match.showPresent();
  }

  show() {
    bar.hidden = this.at === null || this.isAgain;
    document.body.classList.toggle("in-past", this.at !== null);
    this.slider.value = this.at ?? this.last;
    this.slider.setAttribute("aria-valuetext", this.where());
    this.log.mark(this.at);
  }

  where() {
    return say("replay-at", { n: this.at ?? this.last, of: this.last });
  }

  /** What the bar says meanwhile. */
  prompt() {
    if (this.at === null) return null;
    const entry = this.log.entries[this.at - 1];
    const text = entry?.text || (this.at ? say("replay-secret") : say("replay-start"));
    const picture = this.match.view.seats.find(({ seat }) => seat === entry?.seat)?.glyph ?? "";
    const offers = [{ label: say(this.isOver ? "replay-over" : "replay-now"), kind: "pri", does: () => this.end() }];
    const more = this.better.length ? `${this.where()}. ${say("replay-better")}` : this.where();
    return { say: text, more, picture, offers, kind: this.isAgain ? "" : "past" };
  }
}
