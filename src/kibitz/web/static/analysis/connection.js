// The line of a board to try things out on: it keeps a tree of actions and asks the server where they
// lead. What is not answered is asked again; nothing is lost meanwhile.
import { TALL } from "../lib/breakpoints.js";
import { API } from "../lib/paths.js";
import { randomId } from "../lib/random_id.js";
import { MoveTree } from "./move_tree.js";

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 5000;

export class AnalysisConnection {
  pending = null;
  tree = null;
  /** What is drawn: a node, its seq and the shape it has. */
  drawn = { node: null, seq: null, isTall: null };
  /** The position that is shown as text, and what chance may do there. */
  position = "";
  chance = [];
  /** Counts what somebody wanted; answers to what they wanted before are not heard. */
  visit = 0;
  /** Counts what was shown. */
  count = 0;
  isWalking = false;

  /**
   * `onMessage(message)` gets views and refusals, `onWait(seconds)` how long there has been no answer
   * (null: there is), `onMove()` that another node is shown, or the tree has grown.
   */
  constructor(game, { onMessage, onWait, onMove }) {
    this.game = game;
    this.onMessage = onMessage;
    this.onWait = onWait;
    this.onMove = onMove;
  }

  // For the match

  act({ actions }) {
    const key = randomId();
    this.pending = { key };
    this.play(actions, key);
    return key;
  }

  ask(message) {
    if (message.type === "look") this.goTo(this.tree.at);
    else if (message.type === "explain") this.explain(message);
  }

  // For the page

  /** A new tree, seen after `n` of its actions; a refusal leaves all as it was and is returned. */
  async begin(base, actions = [], n = actions.length) {
    this.leave();
    const answer = await this.post(`${API}/analysis`, { ...base, actions, is_tall: TALL.matches });
    if (!answer?.view) return answer;
    this.tree = new MoveTree(base);
    const last = this.tree.grow(this.tree.root, answer.actions, answer.words);
    this.tree.goTo(last);
    if (n >= last.depth) this.take(answer, last);
    else await this.goTo([this.tree.root, ...this.tree.way(last)][n]);
    return null;
  }

  /** Another tree that was kept. */
  turnTo(tree) {
    this.tree = tree;
    return this.goTo(tree.at);
  }

  /** Whoever is on the way already goes on from there: one question at a time. */
  async goTo(node) {
    this.tree.goTo(node);
    this.onMove();
    if (this.isWalking) return;
    this.leave();
    const { visit } = this;
    this.isWalking = true;
    let at;
    do {
      at = this.tree.at;
      await this.show(at);
    } while (visit === this.visit && at !== this.tree.at);
    if (visit === this.visit) this.isWalking = false;
  }

  /** What may be made of a place by hand; of everything for no place. */
  edits(place) {
    return this.post(`${API}/analysis/edits`, { ...this.here, path: place ? [place] : [] });
  }

  /** The drawing of where we are for a wide screen, with its labels. */
  async drawing() {
    return (await this.post(`${API}/analysis`, { ...this.here, is_tall: false }))?.view?.svg ?? null;
  }

  /** What is shown, as the server wants to be told. */
  get here() {
    return { ...this.tree.base, actions: this.tree.actions(this.drawn.node) };
  }

  /** Nothing that was asked for is wanted any more. */
  leave() {
    this.visit += 1;
    this.pending = null;
    this.isWalking = false;
  }

  async play(actions, key) {
    this.visit += 1;
    this.isWalking = false;
    const { tree, drawn: { node } } = this;
    const line = [...tree.actions(node), ...actions];
    const answer = await this.post(`${API}/analysis`, this.question(node, line, true));
    if (!answer) return;
    this.pending = null;
    if (!answer.view) {
      this.onMessage({ ...answer, type: "refused", key });
      return;
    }
    tree.goTo(tree.grow(node, answer.actions.slice(node.depth), answer.words));
    this.take(answer, tree.at);
  }

  async show(node) {
    const { tree } = this;
    const answer = await this.post(`${API}/analysis`, this.question(node, tree.actions(node), false));
    if (answer?.view) this.take(answer, node);
    else if (answer) this.onMessage({ ...answer, type: "refused", key: "" });
  }

  question(node, actions, isFurther) {
    return { ...this.tree.base, actions, is_tall: TALL.matches, since: this.drawnSince(node, isFurther), known_actions: node.depth };
  }

  /** The seq of the drawing, if what comes can be shown as going on from it. */
  drawnSince(node, isFurther) {
    const { drawn, tree } = this;
    const isOnTheWay = isFurther || (drawn.node !== node && [tree.root, ...tree.way(node)].includes(drawn.node));
    return isOnTheWay && drawn.isTall === TALL.matches ? drawn.seq : null;
  }

  take({ view, position, chance }, node) {
    this.position = position;
    this.chance = chance;
    this.drawn = { node, seq: view.seq, isTall: view.svg ? TALL.matches : this.drawn.isTall };
    this.count += 1;
    this.onMove();
    // Branches may be as far from the start as each other: to the page each position is a new one.
    this.onMessage({ ...view, seq: this.count, undo: null, only: [] });
  }

  async explain({ key, path }) {
    const answer = await this.post(`${API}/analysis/explain`, { ...this.here, is_tall: TALL.matches, path });
    if (answer) this.onMessage({ ...answer, type: "refused", key });
  }

  /** The answer, a refusal included; null once something else is wanted. */
  async post(address, asked) {
    const { visit } = this;
    const body = JSON.stringify({ game: this.game, ...asked });
    const since = Date.now();
    for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 2, LAST_RETRY_MS)) {
      const answer = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => null);
      if (visit !== this.visit) return null;
      const isBusy = !answer || answer.status >= 500 || answer.status === 429;
      const told = isBusy ? null : await answer.json().catch(() => null);
      if (visit !== this.visit) return null;
      if (told) {
        this.onWait(null);
        return told;
      }
      const passed = Date.now() - since;
      if (passed > FIRST_RETRY_MS) this.onWait(Math.round(passed / 1000));
      await new Promise((resolve) => { setTimeout(resolve, wait); });
    }
  }
}
