// "The board says otherwise": the position is made like the real board by touching places, and goes
// into the book as a ruling. The server says what may be made of a place and draws what comes of it.
import { Board } from "../board/board.js";
import { PositionEditor } from "../board/edit_position.js";
import { TALL } from "../lib/breakpoints.js";
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { API, ROOT } from "../lib/paths.js";

const page = document.getElementById("board-page");
const stage = document.getElementById("stage");
const behind = document.querySelectorAll(".top, #table, #dock, #tabs");

export class BoardCorrection {
  constructor(book) {
    this.book = book;
    this.board = new Board(stage);
    this.editing = new PositionEditor({ edits: (place) => this.ask(`${API}/analysis/edits`, { path: [place] }) }, (position) => this.turnTo(position));
    stage.addEventListener("click", ({ target }) => {
      const hit = target.closest("[data-el]");
      if (hit) this.editing.touch(hit.dataset.el, hit);
    });
  }

  /** `does` gets the position, the reason and the row that the book was at. */
  async open(does) {
    if (!await this.read()) return;
    await this.turnTo(this.before);
    this.show(does);
    this.cover(true);
  }

  /** What the book says now; whether it could be had. */
  async read() {
    const { seq } = this.book.view;
    const answer = await fetch(`${ROOT}/t/${this.book.id}/position`).catch(() => null);
    if (!answer?.ok) {
      this.book.pass(say("book-no-line"));
      return false;
    }
    this.seq = seq;
    this.before = (await answer.text()).trim();
    return true;
  }

  /** Something was entered meanwhile: what was not touched here is as the book has it now, to be looked at again. */
  async catchUp() {
    const { before, position } = this;
    if (!await this.read()) return;
    const [was, made, now] = [before, position, this.before].map((text) => text.split(" "));
    const isAlike = was.length === made.length && made.length === now.length;
    await this.turnTo(isAlike ? made.map((field, i) => (field === was[i] ? now[i] : field)).join(" ") : this.before);
    this.book.pass(say("book-edit-again"));
  }

  close() {
    this.cover(false);
  }

  cover(isOn) {
    this.editing.switch(isOn);
    page.hidden = !isOn;
    for (const each of behind) each.inert = isOn;
  }

  show(does) {
    const reason = make("input", { class: "field", maxlength: 280, value: say("book-reason-board"), "aria-label": say("book-why") });
    this.write = make("button", { class: "btn pri sp", type: "button",
      onclick: () => does(this.position, reason.value.trim() || say("book-reason-board"), this.seq) }, icon("whistle"), say("book-write-ruling"));
    document.getElementById("board-dock").replaceChildren(
      make("p", { class: "sm mut" }, say("book-edit-hint")),
      make("button", { class: "btn", type: "button", onclick: ({ currentTarget }) => this.editing.touch("", currentTarget) }, icon("more"), say("edit-whole")),
      reason,
      make("div", { class: "row" }, make("button", { class: "btn", type: "button", onclick: () => this.close() }, say("cancel")), this.write));
  }

  async turnTo(position) {
    this.position = position;
    const answer = await this.ask(`${API}/analysis`, { is_tall: TALL.matches });
    if (answer?.view) this.board.show(answer.view.svg);
  }

  async ask(address, more) {
    const { game, options } = this.book;
    const body = JSON.stringify({ game, options, start: this.position, ...more });
    const answer = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => null);
    if (!answer) this.book.pass(say("book-no-line"));
    return answer ? answer.json() : null;
  }
}
