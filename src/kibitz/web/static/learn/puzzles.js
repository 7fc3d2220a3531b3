// The lists of puzzles: what this device knows of a guest's progress is added to them.
import { say } from "../lib/i18n.js";
import { dateOf, loadRecord, streakLength } from "./puzzle_record.js";

const record = loadRecord();

for (const set of document.querySelectorAll("[data-game]")) {
  const { game } = /** @type {HTMLElement} */ (set).dataset;
  const rating = set.querySelector("[data-rating]");
  const kept = record.ratings[game];
  if (kept && !rating.textContent) {
    rating.textContent = say("puzzle-rating", { rating: kept.points });
  }
  for (const link of set.querySelectorAll("[data-puzzle]")) {
    const { puzzle } = /** @type {HTMLElement} */ (link).dataset;
    if (record.tried[game]?.[puzzle]) link.classList.add("done");
  }
}

const streak = document.getElementById("streak");
const length = streakLength(record.days);
if (streak?.hidden && length) {
  streak.textContent = say("puzzle-streak", { n: length });
  streak.hidden = false;
}

// A page that was kept speaks of its own day.
const page = document.getElementById("puzzles");
if (page.dataset.day !== dateOf(Date.now())) document.querySelector(".book-line .mut")?.remove();
