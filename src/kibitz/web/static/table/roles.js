// What there is to know of a table beside its seats: who rules, who keeps the book, who looks on,
// and the envelope with the dice.
import { icon, make } from "../lib/dom.js";
import { showVerdict } from "../lib/draws/draws_verdict.js";
import { say } from "../lib/i18n.js";
import { closeSheet, openSheet } from "../lib/overlay/dialog.js";

const TABLE = document.getElementById("table");
const list = document.getElementById("around");
const envelope = document.getElementById("envelope");
let isOver = false;
let isServersAlone = false;

export function showRoles({ seats, table, outcome }) {
  const chips = [
    table.referee !== null && ["whistle", say("referee", { name: table.referee || say("somebody") })],
    table.bookkeeper !== null && ["book", say("bookkeeper", { name: table.bookkeeper || say("somebody") })],
    table.spectators > 0 && ["eye", spectatorsText(seats, table.spectators), seats.some(({ is_mine: isMine }) => isMine) ? "viewers" : ""],
  ];
  list.replaceChildren(...chips.filter(Boolean).map(([name, text, kind = ""]) => make("li", { class: `chip ${kind}` }, icon(name, "s"), text)));
  list.hidden = !list.children.length;
  envelope.hidden = !table.envelope;
  isOver = Boolean(outcome);
  isServersAlone = table.mixing?.contributors.length === 0;
  envelope.querySelector("use").setAttribute("href", outcome ? "#i-opened" : "#i-envelope");
}

/** A spectator counts as one of those who watch. */
function spectatorsText(seats, n) {
  const alone = n === 1 && !seats.some(({ is_mine: isMine }) => isMine);
  return alone ? say("watching-alone") : say(n === 1 ? "watching-one" : "watching-many", { n });
}

envelope.addEventListener("click", () => openEnvelope());

/** What its page says of it, in short. */
export async function openEnvelope() {
  const verdict = make("p", { class: "verdict" });
  const checked = make("p", { class: "verdict", hidden: true });
  openSheet(say("envelope"), make("div", { class: "sealed-note" },
    verdict,
    checked,
    make("p", { class: "mut" }, say("envelope-why")),
    isServersAlone && make("p", { class: "mut alone" }, say("envelope-alone")),
    make("a", { class: "btn", href: TABLE.dataset.seal, onclick: closeSheet }, say("envelope-more"))));
  const answer = await fetch(TABLE.dataset.seal).catch(() => null);
  const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
  verdict.textContent = page ? page.querySelector(".verdict").textContent.trim() : say("no-answer");
  if (isOver && page?.getElementById("checked")) showVerdict(TABLE.dataset.id, checked);
}
