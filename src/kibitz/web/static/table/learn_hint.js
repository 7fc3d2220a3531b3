// Whoever sits down at a game for the first time, against bots, is told once that it can be learnt.
import { hasBegun } from "../learn/progress.js";
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { storeItem, loadItem } from "../lib/storage.js";

const TOLD = "learn-told";
const { game, title, lessons } = document.getElementById("table").dataset;

export function hintAtLessons({ seats, log }) {
  const isFirst = loadItem(TOLD, null) === null && !hasBegun(game) && log.length < 2;
  const isTraining = seats.every(({ bot, is_mine: isMine }) => bot || isMine) && seats.filter(({ is_mine: isMine }) => isMine).length === 1;
  if (!lessons || !isFirst || !isTraining) return;
  storeItem(TOLD, game);
  const hint = make("p", { class: "banner learn-hint" }, icon("learn"),
    make("span", { class: "sp" }, say("learn-new", { title }), " ", make("a", { href: lessons }, say("learn-quickly"))),
    make("button", { class: "btn sm ghost only", type: "button", "aria-label": say("close"), onclick: () => hint.remove() }, icon("close", "s")));
  document.querySelector(".news").append(hint);
  // It lies over a part of the board, which is wanted from the first touch on.
  document.getElementById("stage").addEventListener("pointerdown", () => hint.remove(), { once: true });
}

/** Whoever has begun to play is left alone: the hint lies over the names. */
export function removeLessonHint() {
  document.querySelector(".learn-hint")?.remove();
}
