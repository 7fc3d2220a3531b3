// A line to a board that nobody else sits at: it asks where actions lead, and keeps them itself.
// What the server did not answer is asked again until it does; without a network the ways that solve
// a step are known to an app that kept them (lib/pwa/offline.js).
import { TALL } from "../lib/breakpoints.js";
import { API, ROOT } from "../lib/paths.js";
import { randomId } from "../lib/random_id.js";

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 5000;

export class LessonConnection {
  /** What is waited for, as a match wants to know it. */
  pending = null;
  actions = [];
  /** What chance may do now. */
  chance = [];
  /** Counts positions; what comes for an earlier one is not heard. */
  visit = 0;
  /** Whether the latest question could only be answered from what is kept, or not at all. */
  isAlone = false;

  /**
   * `onAct(actions)` is what somebody wants to do; it is for the page to play or not. `onMessage(message)`
   * gets views and refusals, `onWait(seconds)` how long there has been no answer (null: there is).
   * `isKept`: the steps are those of the game's tutorial, which an app keeps.
   */
  constructor(game, options, { onAct, onMessage, onWait, isKept = true }) {
    this.game = game;
    this.options = options;
    this.onAct = onAct;
    this.onMessage = onMessage;
    this.onWait = onWait;
    this.isKept = isKept;
  }

  // For the match

  act(message) {
    this.pending = { key: randomId(), ...message };
    this.onAct(message.actions);
    return this.pending.key;
  }

  ask(message) {
    if (message.type === "look") this.show();
    else if (message.type === "explain") this.explain(message);
  }

  // For the page

  /** The beginning of a step, drawn anew; `before` are the actions that lead there by themselves. */
  begin(n, { start, seat, before }, actions = before) {
    this.n = n;
    this.start = start;
    this.seat = seat;
    this.before = before;
    return this.show(actions);
  }

  /** The same one, or one with other actions, drawn anew; true if it came. */
  async show(actions = this.actions) {
    this.actions = actions;
    this.visit += 1;
    return this.take(await this.post(`${API}/analysis`, { actions, is_tall: TALL.matches }, () => this.keptBeginning(actions)));
  }

  /** Goes on by these actions; true if they were played. */
  async play(actions) {
    const isAsDrawn = this.isTall === TALL.matches;
    const wanted = { actions: [...this.actions, ...actions], is_tall: TALL.matches, since: isAsDrawn ? this.seq : null };
    this.visit += 1;
    return this.take(await this.post(`${API}/analysis`, wanted, () => this.keptWay(wanted.actions, this.actions.length)));
  }

  /** What is kept of the way to these actions, after the first `known` of them; none if any of it is missing. */
  async keptWay(actions, known) {
    const steps = await this.keptSteps();
    if (!steps) return null;
    const answers = actions.map((_, n) => steps[this.n][actions.slice(0, n + 1).join("\n")]).slice(known);
    return answers.every(Boolean) ? answers : [];
  }

  /** The same from where the step begins, drawn anew; whoever came another way begins as others do. */
  async keptBeginning(actions) {
    const steps = await this.keptSteps();
    const { before } = this;
    if (!steps) return null;
    const way = before.every((text, i) => text === actions[i]) ? await this.keptWay(actions, before.length) : [];
    return [steps[this.n][before.join("\n")], ...way];
  }

  /** Takes an answer, or several in turn; true if there was a view. */
  take(answer) {
    if (Array.isArray(answer)) {
      this.pending = null;
      return answer.map((each) => (this.visit += 1, this.take(each))).some(Boolean);
    }
    if (!answer) return false;
    this.pending = null;
    if (!answer.view) {
      this.onMessage(answer);
      return false;
    }
    const { actions, chance, view } = answer;
    this.actions = actions;
    this.chance = chance.map(({ text }) => text);
    this.seq = view.seq;
    if (view.svg) this.isTall = TALL.matches;
    // Other positions may be as far from their start: to the page each is a new one.
    this.onMessage({ ...view, seq: this.visit });
    return true;
  }

  /** All steps as they are kept, if they are. */
  async keptSteps() {
    return this.isKept ? keptSteps(this.game) : null;
  }

  async explain({ key, path }) {
    const asked = { actions: this.actions, is_tall: TALL.matches, path };
    const answer = await this.post(`${API}/analysis/explain`, asked, async () => await this.keptSteps() && []);
    if (answer?.type === "refused") this.onMessage({ ...answer, key });
  }

  /** The answer; null once it is not wanted any more, or there is none. `kept` finds what else there may be. */
  async post(address, asked, kept) {
    const { game, options, seat, start, visit } = this;
    const body = JSON.stringify({ game, options, start, seat, ...asked });
    const since = Date.now();
    for (let wait = FIRST_RETRY_MS; visit === this.visit; wait = Math.min(wait * 2, LAST_RETRY_MS)) {
      const answer = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => null);
      if (visit !== this.visit) return null;
      const told = answer && answer.status < 500 && answer.status !== 429 ? await answer.json().catch(() => null) : null;
      if (visit !== this.visit) return null;
      this.isAlone = !answer;
      const found = told ?? (answer ? null : await kept());
      if (visit !== this.visit) return null;
      if (found) {
        this.onWait(null);
        return found;
      }
      if (Date.now() - since > FIRST_RETRY_MS) this.onWait(Math.round((Date.now() - since) / 1000));
      await new Promise((resolve) => { setTimeout(resolve, wait); });
    }
    return null;
  }
}

let steps = null;

/** All that a tutorial shows on the ways that solve it, by step and actions; null where it was not kept. */
async function keptSteps(game) {
  const kept = window.caches && await caches.match(`${ROOT}/learn/${game}/steps`, { ignoreSearch: true, ignoreVary: true });
  if (kept) steps ??= await kept.json();
  return steps;
}
