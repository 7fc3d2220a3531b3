// What the server says, in the order it came. A new view waits until what the one before it told of
// stands still, and the die rattles before anybody sees what it shows.

import { turnOver } from "./reveal.js";

/** So many may wait; more were missed, and are not made up for. */
const BEHIND = 2;

export class UpdateQueue {
  waiting = [];
  isBusy = false;

  /** `onMessage(message)` shows it; `rolls(events)` is called as the die is pressed; `isShown()` says whether the board has the present. */
  constructor(motion, board, { onMessage, rolls, isShown }) {
    this.motion = motion;
    this.board = board;
    this.onMessage = onMessage;
    this.rolls = rolls;
    this.isShown = isShown;
  }

  take(message) {
    this.waiting.push(message);
    this.keepUp();
    if (!this.isBusy) this.go();
  }

  async go() {
    this.isBusy = true;
    try {
      while (this.waiting.length) {
        const message = this.waiting.shift();
        if (message.type === "view") await this.foretell(message);
        this.onMessage(message);
        this.keepUp();
      }
    } finally {
      this.isBusy = false;
    }
  }

  async foretell(view) {
    await this.motion.still;
    if (view.svg || this.behind > BEHIND || !this.isShown()) return;
    const rattling = this.motion.rattle(this.board, view.events);
    if (this.motion.isRunning) this.rolls(view.events);
    this.keepUp();
    await rattling;
    await turnOver(view, this.board);
  }

  /** How many views wait. */
  get behind() {
    return this.waiting.filter(({ type }) => type === "view").length;
  }

  keepUp() {
    if (this.behind > BEHIND) this.motion.finish();
    else if (this.behind) this.motion.hurry();
  }
}
