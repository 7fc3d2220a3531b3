// The line over the board for what people have to settle: something asked, somebody away, a pause.
import { button } from "../board/prompt.js";
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { nameOf } from "./seats.js";

const bar = document.getElementById("matter");
let shown = "";

/** `matter` is { icon, text, more, buttons, counts (so that it is not read out every second) }, or null. The same one stays as it is. */
export function showRequest(matter) {
  const look = JSON.stringify(matter);
  if (look === shown) return;
  shown = look;
  bar.hidden = !matter;
  bar.setAttribute("aria-live", matter?.counts ? "off" : "polite");
  bar.replaceChildren();
  if (!matter) return;
  const said = matter.more ? matter.text.replace(/\.?$/, ". ") : matter.text;
  bar.append(
    icon(matter.icon),
    make("span", { class: "sp" }, make("b", {}, said), matter.more ? make("span", { class: "more-said" }, matter.more) : null),
    ...(matter.buttons?.length ? [make("span", { class: "row" }, ...matter.buttons.map((each) => button({ ...each, kind: `sm ${each.kind ?? ""}` })))] : []));
}

/** What is to be settled now, the most pressing first. `send` takes texts. */
export function requestOf({ seats, table, title, hint, outcome }, answer, send) {
  const { asked } = table;
  if (asked?.yours) {
    return { icon: "people", text: asked.title, buttons: [
      { label: say("decline"), does: () => send(["decline"]) },
      { label: say("agree"), kind: "pri", does: () => send(["agree"]) },
    ] };
  }
  if (asked) return { icon: "people", text: asked.title, more: say("answer-awaited") };
  if (outcome) return null;
  if (table.adjourned) return { icon: "pause", text: title, more: hint };
  const away = table.menu.find(({ text }) => text.startsWith("ask keep "));
  const absent = away && seats.find(({ seat }) => away.text.startsWith(`ask keep ${seat} `));
  if (absent) return { icon: "away", text: say("absent", { name: nameOf(absent) }), buttons: [{ label: away.label, does: () => send([away.text]) }] };
  if (answer !== null) return { icon: "clock", counts: true, text: say("answer-due", { seconds: Math.ceil(answer) }) };
  return null;
}
