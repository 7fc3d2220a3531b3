// What the server says, in the order it came. A new sight waits until what the one before it told of
// stands still, and the die rattles before anybody sees what it shows.

import { turnOver } from "./reveal.js";

/** So many may wait; more were missed, and are not made up for. */
const BEHIND = 2;

export class UpdateQueue {
  waiting = [];
  isBusy = false;

  /** `onMessage(message)` shows it; `rolls(told)` is called as the die is pressed; `isShown()` says whether the board has the present. */
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
        if (message.is === "sight") await this.foretell(message);
        this.onMessage(message);
        this.keepUp();
      }
    } finally {
      this.isBusy = false;
    }
  }

  async foretell(sight) {
    await this.motion.still;
    if (sight.svg || this.behind > BEHIND || !this.isShown()) return;
    const rattling = this.motion.rattle(this.board, sight.told);
    if (this.motion.isRunning) this.rolls(sight.told);
    this.keepUp();
    await rattling;
    await turnOver(sight, this.board);
  }

  /** How many sights wait. */
  get behind() {
    return this.waiting.filter(({ is }) => is === "sight").length;
  }

  keepUp() {
    if (this.behind > BEHIND) this.motion.finish();
    else if (this.behind) this.motion.hurry();
  }
}
