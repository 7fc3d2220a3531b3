// Whether phones reach this server, before a link or a code for them is shown; and a button that lets them in.
import { icon, make } from "../dom.js";
import { say } from "../i18n.js";
import { ROOT } from "../paths.js";

/** Only whoever sits at the server's own machine opens its pages by such a name. */
const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);
let state = isHere ? null : { origin: location.origin, can_open: false, is_open: true };
const known = isHere ? ask("", {}) : Promise.resolve();

/** The beginning of links for others; empty as long as that is not known. */
export function linkOrigin() {
  return state ? state.origin || location.origin : "";
}

/** What to show in place of a code: nothing where phones reach us, and a note with a button where they do not.
 * `redraw` is called when that has changed. */
export function networkNotice(redraw) {
  if (!state) {
    known.then(redraw);
    return make("p", { class: "mut sm network" }, say("loading"));
  }
  if (state.is_open) return null;
  const wrong = make("p", { class: "sm", role: "alert" });
  const open = state.can_open && make("button", { class: "btn pri wide", type: "button",
    onclick: () => change("open", wrong, redraw) }, icon("wifi"), say("network-open"));
  return make("div", { class: "network shut" },
    make("b", {}, say("network-closed")),
    make("p", { class: "sm mut" }, say(state.can_open ? "network-closed-hint" : "network-start")),
    open || "", wrong);
}

/** True while phones cannot reach us, and somebody here could let them in. */
export function isShut() {
  return Boolean(state?.can_open && !state.is_open);
}

/** Lets this network in; a sentence where that fails. */
export function openNetwork() {
  return ask("open", { method: "POST" });
}

/** Called when it is known whether phones reach us. */
export function whenKnown(redraw) {
  known.then(redraw);
}

/** That this network was let in, with the way to shut it out again; nothing where nobody here opened it. */
export function networkNote(redraw) {
  if (!state?.can_open || !state.is_open) return null;
  const wrong = make("span", { role: "alert" });
  return make("p", { class: "sm mut network row wrap" }, make("span", { class: "sp" }, say("network-opened", { address: state.origin })),
    make("button", { class: "btn sm", type: "button", onclick: () => change("close", wrong, redraw) }, say("network-close")), wrong);
}

async function change(action, wrong, redraw) {
  wrong.textContent = "";
  const problem = await ask(action, { method: "POST" });
  if (problem) wrong.textContent = problem;
  else redraw();
}

/** Keeps what the server says of its network; a sentence where it says no. */
async function ask(action, how) {
  const path = action ? `${ROOT}/network/${action}` : `${ROOT}/network`;
  const answer = await fetch(path, { headers: { Accept: "application/json" }, ...how }).catch(() => null);
  const told = await answer?.json().catch(() => null);
  if (answer?.ok) state = told;
  else state ??= { origin: "", can_open: false, is_open: true };
  return answer?.ok ? "" : told?.problem ?? say("no-answer");
}
