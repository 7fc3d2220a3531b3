// How long things are left to be read before the next ones come. Whoever looks chooses it; a touch goes on at once.
import { loadItem, storeItem } from "../storage.js";

export const CALM = "calm";
export const INSTANT = "instant";
/** What somebody else did, for each letter of it too; and a breath after one's own. */
const PACES_MS = {
  [CALM]: { least: 350, letter: 20, breath: 350 },
  brisk: { least: 200, letter: 8, breath: 150 },
  [INSTANT]: { least: 0, letter: 0, breath: 0 },
};
const MAX_READING_MS = 3200;
/** Where a touch makes no click, it goes on so much later. */
const CLICK_WAIT_MS = 300;

export function pace() {
  const chosen = loadItem("pace", CALM);
  return chosen in PACES_MS ? chosen : CALM;
}

export function setPace(chosen) {
  storeItem("pace", chosen);
}

export function isInstant() {
  return pace() === INSTANT;
}

/** How long a sentence takes to be read; a breath where it only says what one has done oneself. */
export function readingMs(text, isOwn) {
  const { least, letter, breath } = PACES_MS[pace()];
  return isOwn ? breath : Math.min(MAX_READING_MS, least + letter * text.length);
}

/** A wait that a touch anywhere, or whoever has it, ends. */
export class Wait {
  #done = null;
  #timer = 0;
  over = Promise.resolve();

  constructor() {
    // Not before the touch is over: what comes then must not lie under the same finger.
    document.addEventListener("click", () => this.end());
    document.addEventListener("pointerup", () => {
      const { over } = this;
      setTimeout(() => { if (this.over === over) this.end(); }, CLICK_WAIT_MS);
    });
    document.addEventListener("visibilitychange", () => document.hidden && this.end());
  }

  /** Begins anew; resolves when the time is up. */
  begin(milliseconds) {
    this.end();
    if (milliseconds <= 0 || document.hidden) return this.over;
    this.over = new Promise((resolve) => {
      this.#done = resolve;
      this.#timer = setTimeout(() => this.end(), milliseconds);
    });
    return this.over;
  }

  end() {
    clearTimeout(this.#timer);
    this.#done?.();
    this.#done = null;
  }
}
