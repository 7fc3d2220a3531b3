// The buttons of a match: the game's own, those along a path, and those after the end.
import { icon, make } from "../../lib/dom.js";
import { say } from "../../lib/i18n.js";
import { closePopover, openPopover } from "../../lib/overlay/popover.js";
import { distinct, isAlike } from "../picker.js";
import { buttonOf } from "../prompt.js";

const BUTTON = "btn-";
const MAX_BUTTONS = 3;

export class MatchButtons {
  /** @param {import("../match_view.js").MatchView} match */
  constructor(match) {
    this.match = match;
  }

  /** While something is being chosen. */
  alongPath() {
    const { forced, gestures, line, outgoing, picker } = this.match;
    const { chosenOffer: chosen } = picker;
    const game = this.ofGame();
    const stay = this.#staying(game);
    // Where something stays there is less room.
    const back = { icon: "undo", does: () => gestures.back(), ...(stay.length ? { name: say("back"), kind: "only" } : { label: say("back") }) };
    if (forced.offer) return [...stay.filter(({ isAlways }) => isAlways), back];
    if (!chosen) return [...stay, back, ...game.filter(({ goesOn }) => goesOn)];
    const sure = { label: chosen.label, kind: "pri", goesOn: true, does: () => gestures.confirm(chosen) };
    return [...stay, back, ...(line.pending || outgoing.hasSent ? [] : [sure])];
  }

  /** What stays where it was while something else is being chosen: what is there at all times, and what ends the turn. */
  #staying(game) {
    const always = game.filter(({ isAlways }) => isAlways);
    const isChosen = this.match.picker.path.some(isButton);
    const atOnce = isChosen ? [] : this.ofGame([]).filter(({ isAlways, goesOn }) => !isAlways && !goesOn);
    return [...always, ...atOnce];
  }

  /** The game's own buttons: what may come next, or else what might have come first; or those after a path. */
  ofGame(after = null) {
    const { isFree, picker } = this.match;
    if (!isFree) return [];
    const onTheWay = [...picker.next()].some(isButton);
    const path = after ?? (onTheWay ? picker.path : []);
    const others = distinct(picker.matching([]).filter((offer) => !offer.is_always_shown));
    const all = [...picker.next(path)].filter(isButton).map((element) => this.#gameButton(element, path, others));
    // A choice between buttons has the room of all that goes on.
    const answers = all.filter(({ isAlways, goesOn }) => !isAlways && !goesOn);
    if (answers.length > 1) for (const each of answers) each.goesOn = true;
    all.sort((a, b) => Number(b.isAlways) - Number(a.isAlways));
    const [shown, rest] = [all.slice(0, MAX_BUTTONS), all.slice(MAX_BUTTONS)];
    if (rest.length) shown.push({ name: say("more"), icon: "more", kind: "only", element: "more", goesOn: true, does: () => openMore(rest) });
    return shown;
  }

  /** @returns {any} */
  #gameButton(element, path, others) {
    const { gestures, picker, view } = this.match;
    const left = distinct(picker.matching([...path, element]));
    const isAlways = left.some((offer) => offer.is_always_shown);
    const plays = left.length === 1 && left[0].path.length === path.length + 1;
    const urgent = left.some((offer) => offer.is_urgent);
    const kind = urgent ? "spark" : picker.path.includes(element) ? "soft" : plays && isAll(left, others) ? "pri" : "";
    return { label: view.buttons[element], icon: iconName(element.slice(BUTTON.length)), kind: isAlways ? `always ${kind}` : kind, element, isAlways,
      goesOn: !isAlways && !plays, does: () => gestures.touch(element, "button") };
  }

  /** While nothing is being chosen: the game's, the page's, and the one that takes back. */
  atRest() {
    const others = [...this.ofGame(), ...this.match.page.restButtons()];
    return [...others, ...this.#undo(others.every(({ goesOn }) => goesOn))];
  }

  /** After the end board and words keep their room: where there is much to do, what is seldom wanted is behind one button. */
  atEnd() {
    const all = [...this.#undo(), ...this.match.page.endButtons()];
    if (all.length <= MAX_BUTTONS) return all;
    const shown = all.filter(({ isFirst }) => isFirst);
    const rest = all.filter(({ isFirst }) => !isFirst);
    return [...shown, { label: say("more"), icon: "more", element: "more", goesOn: true, does: () => openMore(rest) }];
  }

  /** Beside others its picture is enough: in some languages both have no room on one line. */
  #undo(isAlone = true) {
    const { line, outgoing, view: { undo } } = this.match;
    const look = undo && (isAlone ? { label: undo.label } : { name: undo.label, kind: "only" });
    return undo && !line.pending ? [{ ...look, icon: "undo", does: () => outgoing.send([undo.text]) }] : [];
  }
}

/** The buttons for which there is no room. */
function openMore(buttons) {
  const rows = buttons.map(({ label, icon: name, does }) =>
    make("button", { class: "btn", onclick: () => { closePopover(); does(); } }, icon(name ?? "act"), label));
  openPopover(make("div", { class: "choices" }, ...rows), buttonOf("more"), { label: say("more") }).querySelector("button").focus({ focusVisible: false });
}

export function isButton(element) {
  return element.startsWith(BUTTON);
}

/** The name of an icon, if there is one of this name. */
export function iconName(name) {
  return document.getElementById(`i-${name}`) ? name : null;
}

/** Whether these offers are all there are. */
function isAll(offers, others) {
  return others.every((other) => offers.some((offer) => isAlike(offer.actions, other.actions)));
}
