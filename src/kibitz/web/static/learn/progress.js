// How far somebody has come with a tutorial, kept by the browser.
import { storeItem, loadItem } from "../lib/storage.js";

export class Progress {
  /** `steps` have an `id`. What belongs to no game is not kept. */
  constructor(game, steps) {
    this.name = game && `learn-${game}`;
    const { at = "", done = [] } = game ? read(this.name) : {};
    const known = steps.map(({ id }) => id);
    this.done = new Set(done.filter((id) => known.includes(id)));
    this.at = Math.max(0, known.indexOf(at));
    this.steps = steps;
  }

  arrive(at) {
    this.at = at;
    this.keep();
  }

  solve() {
    this.done.add(this.steps[this.at].id);
    this.keep();
  }

  forget() {
    this.done.clear();
    this.arrive(0);
  }

  keep() {
    if (this.name) storeItem(this.name, JSON.stringify({ at: this.steps[this.at].id, done: [...this.done] }));
  }
}

/** Whether somebody has ever begun to learn it. */
export function hasBegun(game) {
  return loadItem(`learn-${game}`, null) !== null;
}

function read(name) {
  try {
    return JSON.parse(loadItem(name, "{}")) ?? {};
  } catch {
    return {};
  }
}
