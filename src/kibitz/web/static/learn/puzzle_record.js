// What this device knows of puzzles: which were solved, on which days, and a guest's ratings.
import { loadItem, storeItem } from "../lib/storage.js";

const NAME = "puzzles";
const DAY_MS = 24 * 60 * 60 * 1000;

/** `tried[game][id]`: whether it is solved; `days`: dates on which the puzzle of the day was. */
export function loadRecord() {
  const empty = { tried: {}, days: [], ratings: {} };
  try {
    return { ...empty, ...JSON.parse(loadItem(NAME, "{}")) };
  } catch {
    return empty;
  }
}

export function storeRecord(record) {
  storeItem(NAME, JSON.stringify(record));
}

/** The date of UTC, by which puzzles of a day go. */
export function dateOf(time) {
  return new Date(time).toISOString().slice(0, 10);
}

/** The days in a row, up to today or, while today's is not solved, to yesterday. */
export function streakLength(days, now = Date.now()) {
  const known = new Set(days);
  const last = known.has(dateOf(now)) ? now : now - DAY_MS;
  let length = 0;
  while (known.has(dateOf(last - length * DAY_MS))) length += 1;
  return length;
}
