// What the server says, in the order it came. A new view waits until what the one before it told of
// stands still and could be read, and the die rattles before anybody sees what it shows.

import { isInstant, Wait } from "../../lib/settings/pace.js";
import { clearMoments } from "./moments.js";
import { turnOver } from "./reveal.js";

/** So many may wait where all is shown at once, or else is told; more were missed, and are not made up for. */
const [MAX_INSTANT_VIEWS, MAX_VIEWS] = [2, 16];
/** So many letters need not be read so long if this many more wait. */
const HASTE_VIEWS = 4;

export class UpdateQueue {
  waiting = [];
  isBusy = false;
  reading = new Wait();
  /** Somebody's clock runs: then nobody is kept waiting. */
  isHurried = false;
  /** Resolves when the latest view has been shown. */
  shown = Promise.resolve();

  /**
   * `onMessage(message)` shows it, and of a view says when that is done; `rolls(events)` is called as the die is pressed;
   * `isShown()` says whether the board has the present; `before(view)` shows what of it is seen on the board as it still is.
   */
  constructor(motion, board, { onMessage, rolls, isShown, before = async (view) => {} }) {
    this.motion = motion;
    this.board = board;
    this.onMessage = onMessage;
    this.rolls = rolls;
    this.isShown = isShown;
    this.before = before;
  }

  take(message) {
    this.waiting.push(message);
    if (message.type === "clock") this.isHurried = message.running.length > 0;
    if (this.isHurried) this.reading.end();
    this.keepUp();
    if (!this.isBusy) this.go();
  }

  async go() {
    this.isBusy = true;
    try {
      while (this.waiting.length) {
        const message = this.waiting.shift();
        if (message.type === "view") await this.foretell(message);
        const done = this.onMessage(message);
        if (message.type === "view") this.shown = Promise.resolve(done);
        this.keepUp();
      }
    } finally {
      this.isBusy = false;
    }
  }

  async foretell(view) {
    await this.motion.still;
    await this.shown;
    await this.reading.over;
    if (view.svg || this.isFarBehind || !this.isShown()) return;
    const rattling = this.motion.rattle(this.board, view.events);
    if (this.motion.isRunning) this.rolls(view.events);
    this.keepUp();
    await rattling;
    await turnOver(view, this.board);
    await this.before(view);
  }

  /** Before the next view is shown, this one can be read for so long. */
  hold(milliseconds) {
    const isRead = !this.isHurried && !this.isFarBehind;
    this.reading.begin(isRead ? milliseconds / (1 + this.behind / HASTE_VIEWS) : 0);
  }

  /** How many views wait. */
  get behind() {
    return this.waiting.filter(({ type }) => type === "view").length;
  }

  get isFarBehind() {
    return this.behind > (isInstant() ? MAX_INSTANT_VIEWS : MAX_VIEWS);
  }

  keepUp() {
    if (this.isFarBehind) {
      this.motion.finish();
      this.reading.end();
      clearMoments();
    } else if (this.behind && isInstant()) {
      this.motion.hurry();
    }
  }
}
