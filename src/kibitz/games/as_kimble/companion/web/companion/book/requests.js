// What is sent and has to be answered at once: turns, rulings and questions, in order.
import { explanation } from "../../board/refusal.js";
import { announce } from "../../lib/announce.js";
import { say } from "../../lib/i18n.js";
import { closeSheet, openSheet } from "../../lib/overlay/dialog.js";
import { showToast } from "../../lib/overlay/toast.js";
import { randomId } from "../../lib/random_id.js";

export class Requests {
  /** Each { message, resolve }. */
  #acts = [];
  /** Questions by their keys. */
  #asked = new Map();

  /**
   * `seat` is whose they are unless that is said, `seq()` the row that is seen. Where `isUp()` is false
   * nothing is sent, and `onDown(text)` says so.
   */
  constructor(line, { seat = null, seq, isUp = () => true, onDown = (text) => {} }) {
    this.line = line;
    this.seat = seat;
    this.seq = seq;
    this.isUp = isUp;
    this.onDown = onDown;
  }

  /** What has to happen now; promises the answer. A turn is meant at the row it is seen at. */
  send(actions, { seat = this.seat, isTimely = true, seq = this.seq(), unsent = say("book-no-line") } = {}) {
    if (!this.isUp()) {
      this.onDown(unsent);
      return Promise.resolve({ type: "down" });
    }
    return new Promise((resolve) => {
      this.#acts.push({ resolve, message: { key: randomId(), actions, seat, ...(isTimely ? { seq } : {}) } });
      this.go();
    });
  }

  /** Promises why a path cannot be played. */
  explain(path, seat) {
    const key = randomId();
    return new Promise((resolve) => {
      this.#asked.set(key, resolve);
      this.line.ask({ type: "explain", key, seat, path });
    });
  }

  /** Sends the first that waits, if the line is free; whether it is free for something else. */
  go() {
    if (this.line.pending) return false;
    const [act] = this.#acts;
    if (act) this.line.act(act.message);
    return !act;
  }

  /** True if it was an answer to one of these. */
  takeAnswer(message) {
    const asked = this.#asked.get(message.key);
    const act = this.#acts.find(({ message: sent }) => sent.key === message.key);
    if (asked) {
      this.#asked.delete(message.key);
      asked(message);
    } else if (act) {
      this.#acts = this.#acts.filter((each) => each !== act);
      if (message.type === "stale") showToast(say("stale"));
      if (message.type === "refused") showRefusal(message);
      act.resolve(message);
    }
    return Boolean(asked || act);
  }
}

function showRefusal(message) {
  announce("urgent", message.message);
  openSheet(say("book-refused"), explanation(message, closeSheet));
}
