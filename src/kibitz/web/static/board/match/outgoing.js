// What is sent: the action that was chosen, and whether a view has shown it yet.
const SLOW_MS = 400;
/** The same place is not touched twice by one double tap. */
const DOUBLE_TAP_MS = 400;

export class Outgoing {
  /** Something was sent that no view has shown yet. */
  hasSent = false;
  isSlow = false;
  /** What was sent last by one touch, and when it was answered. */
  pressed = { element: "", answered: 0 };

  /** @param {import("../match_view.js").MatchView} match */
  constructor(match) {
    this.match = match;
  }

  play({ actions, path, seat }) {
    this.pressed = { element: path.length === 1 ? path[0] : "", answered: Infinity };
    if (!this.match.page.holds({ actions, seat })) this.send(actions, seat);
  }

  send(actions, seat = this.match.seat) {
    this.dispatch({ seq: this.match.view.seq, seat, actions });
  }

  dispatch(message) {
    const { match } = this;
    match.refusal.forget();
    match.forced.drop();
    const key = match.line.act(message);
    this.hasSent = true;
    this.isSlow = false;
    setTimeout(() => {
      this.isSlow = match.line.pending?.key === key;
      match.refresh();
    }, SLOW_MS);
    match.refresh();
  }

  /** A view has come, the same as before or one that shows what was sent. */
  takeView(isSame) {
    if (this.hasSent && !isSame) this.pressed.answered = performance.now();
    this.hasSent = this.hasSent && isSame;
  }

  /** Nothing came of what was sent. */
  fail() {
    this.hasSent = false;
  }

  /** The second half of a double tap, after what the first one did has changed the board. */
  isDoubled(path) {
    const { element, answered } = this.pressed;
    return path.length === 1 && path[0] === element && performance.now() - answered < DOUBLE_TAP_MS;
  }
}
