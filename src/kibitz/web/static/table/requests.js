// The line over the board for what people have to settle: something asked, somebody away, a pause.
import { button } from "../board/prompt.js";
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { nameOf } from "./seats.js";

const bar = document.getElementById("requests");
let shown = "";
/** What somebody has put away, while it stays the same. */
let putAway = "";

/** `request` is { icon, text, more, buttons, counts (so that it is not read out every second) }, or null. The same one stays as it is. */
export function showRequest(request) {
  const look = JSON.stringify(request);
  if (look === shown) return;
  shown = look;
  bar.hidden = !request;
  bar.setAttribute("aria-live", request?.counts ? "off" : "polite");
  bar.replaceChildren();
  if (!request) return;
  const text = request.more ? request.text.replace(/\.?$/, ". ") : request.text;
  bar.append(
    icon(request.icon),
    make("span", { class: "sp" }, make("b", {}, text), request.more ? make("span", { class: "more-said" }, request.more) : null),
    ...(request.buttons?.length ? [make("span", { class: "row" }, ...request.buttons.map((each) => button({ ...each, kind: `sm ${each.kind ?? ""}` })))] : []));
}

/** Whoever asked may think again; the others answer. */
function requestButtons({ is_yours: isYours, is_mine: isMine }, send) {
  if (isMine) return [{ label: say("cancel"), does: () => send(["cancel"]) }];
  if (!isYours) return [];
  return [{ label: say("decline"), does: () => send(["decline"]) }, { label: say("agree"), kind: "pri", does: () => send(["agree"]) }];
}

/** What is to be settled now, the most pressing first. `send` takes actions. */
export function requestOf({ seats, table, title, hint, outcome }, { consent }, send) {
  const { request } = table;
  if (request) {
    const names = request.missing.join(", ");
    const silence = consent === null ? "" : say("silence-agrees", { seconds: Math.ceil(consent) });
    const moves = request.details.length ? `${say("taken-back", { moves: request.details.join("; ") }).replace(/\.?$/, ".")}` : "";
    return {
      icon: "people", text: request.title, counts: consent !== null,
      more: [moves, request.is_yours && consent === null ? "" : say("answer-awaited", { names }), silence].filter(Boolean).join(" "),
      buttons: requestButtons(request, send),
    };
  }
  if (outcome) return null;
  if (table.is_adjourned) return { icon: "pause", text: title, more: hint };
  const fillIn = table.menu.find(({ text }) => text.startsWith("ask fill-in "));
  const absent = fillIn && seats.find(({ seat }) => fillIn.text.startsWith(`ask fill-in ${seat} `));
  if (!absent) return null;
  const text = say("absent", { name: nameOf(absent) });
  const close = { name: say("close"), icon: "close", kind: "only", does: () => { putAway = text; showRequest(null); } };
  return text === putAway ? null : { icon: "away", text, buttons: [{ label: fillIn.label, does: () => send([fillIn.text]) }, close] };
}
