// A line to a board that nobody else sits at: it asks where actions lead, and keeps them itself.
// What the server did not answer is asked again until it does.
import { TALL } from "../lib/breakpoints.js";
import { API } from "../lib/paths.js";
import { randomId } from "../lib/random_id.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 5000;

export class LessonConnection {
  /** What is waited for, as a match wants to know it. */
  pending = null;
  actions = [];
  /** What chance may do now. */
  chance = [];
  /** Counts positions; what comes for an earlier one is not heard. */
  visit = 0;

  /**
   * `onAct(texts)` is what somebody wants to do; it is for the page to play or not. `onMessage(message)`
   * gets sights and refusals, `onWait(seconds)` how long there has been no answer (null: there is).
   */
  constructor(game, options, { onAct, onMessage, onWait }) {
    this.game = game;
    this.options = options;
    this.onAct = onAct;
    this.onMessage = onMessage;
    this.onWait = onWait;
  }

  // For the match

  act(message) {
    this.pending = { key: randomId(), ...message };
    this.onAct(message.texts);
    return this.pending.key;
  }

  ask(message) {
    if (message.do === "look") this.show();
    else if (message.do === "why") this.why(message);
  }

  // For the page

  /** Another position, drawn anew. */
  begin(start, seat, actions) {
    this.start = start;
    this.seat = seat;
    return this.show(actions);
  }

  /** The same one, or one with other actions, drawn anew; true if it came. */
  async show(actions = this.actions) {
    this.actions = actions;
    this.visit += 1;
    return this.take(await this.post(`${API}/study`, { actions, tall: TALL.matches }));
  }

  /** Goes on by these texts; true if they were played. */
  async play(texts) {
    const isAsDrawn = this.tall === TALL.matches;
    const wanted = { actions: [...this.actions, ...texts], tall: TALL.matches, seen: isAsDrawn ? this.seq : null };
    this.visit += 1;
    return this.take(await this.post(`${API}/study`, wanted));
  }

  take(answer) {
    if (!answer) return false;
    this.pending = null;
    if (!answer.sight) {
      this.onMessage(answer);
      return false;
    }
    const { actions, chance, sight } = answer;
    this.actions = actions;
    this.chance = chance.map(({ text }) => text);
    this.seq = sight.seq;
    if (sight.svg) this.tall = TALL.matches;
    // Other positions may be as far from their start: to the page each is a new one.
    this.onMessage({ ...sight, seq: this.visit });
    return true;
  }

  async why({ key, path }) {
    const answer = await this.post(`${API}/study/why`, { actions: this.actions, tall: TALL.matches, path });
    if (answer?.is === "refused") this.onMessage({ ...answer, key });
  }

  /** The answer; null once it is not wanted any more, or there is none. */
  async post(address, asked) {
    const { game, options, seat, start, visit } = this;
    const body = JSON.stringify({ game, options, start, seat, ...asked });
    const since = Date.now();
    for (let wait = FIRST_WAIT; visit === this.visit; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      const answer = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => null);
      if (visit !== this.visit) return null;
      const told = answer && answer.status < 500 && answer.status !== 429 ? await answer.json().catch(() => null) : null;
      if (visit !== this.visit) return null;
      if (told) {
        this.onWait(null);
        return told;
      }
      if (Date.now() - since > FIRST_WAIT) this.onWait(Math.round((Date.now() - since) / 1000));
      await new Promise((resolve) => { setTimeout(resolve, wait); });
    }
    return null;
  }
}
