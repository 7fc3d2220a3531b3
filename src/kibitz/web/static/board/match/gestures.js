// What somebody does to the board and its buttons: touches, drags, keys. Each is a step along a path,
// a whole choice, or the question why not.
import { announce } from "../../lib/announce.js";
import { DOCK } from "../../lib/breakpoints.js";
import { icon, make } from "../../lib/dom.js";
import { say } from "../../lib/i18n.js";
import { closePopover, openPopover } from "../../lib/overlay/popover.js";
import { buzz, CHOSEN_MS } from "../../lib/sound/sound.js";
import { openKeyboardHelp, openWhat } from "../dialogs.js";
import { hideRevealCard } from "../events/reveal.js";
import { listen as listenToKeys } from "../keyboard.js";
import { drawDrops } from "../marks.js";
import { distinct } from "../picker.js";
import { listen as listenToPointer } from "../pointer.js";
import { buttonOf, primaryButton } from "../prompt.js";
import { closeRules } from "../rules_drawer.js";
import { iconName, isButton } from "./buttons.js";

export class Gestures {
  /** @param {import("../match_view.js").MatchView} match */
  constructor(match) {
    this.match = match;
  }

  listen() {
    const { board, narration, page } = this.match;
    listenToPointer(board, {
      touch: (element, how) => this.touch(element, how),
      explain: (element) => this.explain(element),
      lift: (element) => this.lift(element),
      drop: (from, to, how) => this.drop(from, to, how),
      put: () => this.match.refresh(),
    });
    listenToKeys(board, {
      touch: (element) => this.touch(element, "key"),
      explain: (element) => this.explain(element),
      back: () => this.back(),
      drop: () => this.leave(),
      what: () => this.openWhat(),
      last: () => narration.sayLastMove(),
      state: () => narration.sayState(),
      key: (key) => this.pressKey(key),
      help: () => openKeyboardHelp(this.match.view),
      ...page.keys,
    });
  }

  touch(element, how) {
    const { forced, line, motion, outgoing, page, past, picker, refusal, view } = this.match;
    if (!view || past) return;
    if (motion.isRunning) {
      motion.finish();
      if (!view.acting || outgoing.hasSent) return;
    }
    if (line.pending) return;
    const { offer } = forced;
    forced.drop();
    refusal.forget();
    hideRevealCard();
    const isLast = element === picker.path.at(-1) && !picker.next().has(element);
    if (page.takes(element)) this.match.refresh();
    else if (offer && !isButton(element)) outgoing.play(offer);
    else if (!view.acting) refusal.ask(element);
    else if (this.isHeld(element)) this.match.refresh();
    else if (isLast && picker.isComplete) outgoing.play(picker.chosenOffer);
    else if (isLast) this.back();
    else if (picker.touch(element)) this.#settle(how);
    else refusal.ask(element);
  }

  /** The die is left alone for a while: somebody may want to be quicker. */
  isHeld(element) {
    const { page, picker } = this.match;
    const left = picker.matching([...picker.path, element]);
    return left.length > 0 && left.every(({ actions }) => !actions.length) && page.isHeld(element);
  }

  /** After a step along the path: done, to be confirmed, or one of several. */
  #settle(how) {
    const { bar, outgoing, picker } = this.match;
    if (picker.isComplete && playsAtOnce(picker.chosenOffer, how)) {
      if (outgoing.isDoubled(picker.path)) this.back();
      else outgoing.play(picker.chosenOffer);
      return;
    }
    buzz(CHOSEN_MS);
    this.match.refresh();
    if (picker.choice) this.#openChooser();
    else announce("polite", bar.sentence());
  }

  /** May this be dragged? Shows where to. */
  lift(element) {
    const { board, isFree, picker, refusal } = this.match;
    const drops = isFree ? picker.drops(element) : new Map();
    if (drops.size) {
      refusal.forget();
      drawDrops(board, drops);
    }
    return drops.size > 0;
  }

  /** True if something was sent. */
  drop(from, to, how) {
    const { isFree, line, picker } = this.match;
    const offers = distinct(picker.drops(from).get(to) ?? []);
    if (!isFree || !offers.length) return false;
    picker.follow(offers[0].path);
    if (offers.length > 1) picker.choice = { offers, goesOn: false };
    this.#settle(how);
    return line.pending !== null;
  }

  explain(element) {
    const { past, refusal, view } = this.match;
    if (!view || past) return;
    refusal.forget();
    refusal.ask(element);
  }

  back() {
    const { forced, picker, refusal } = this.match;
    refusal.forget();
    forced.drop();
    if (!picker.path.length) return false;
    picker.back();
    this.match.refresh();
    return true;
  }

  /** Escape: the uppermost thing goes. */
  leave() {
    const { forced, past, picker, refusal } = this.match;
    if (refusal.refused || picker.choice) {
      if (picker.choice) picker.back();
      refusal.dismiss();
    } else if (picker.path.length) {
      forced.drop();
      picker.drop();
      this.match.refresh();
    } else if (past) {
      this.match.showPresent();
    } else {
      return closeRules();
    }
    return true;
  }

  /** The button is the word to be sure, once the path has been seen to its end. */
  confirm(offer) {
    const { outgoing, picker } = this.match;
    if (!offer.needs_confirmation || picker.isComplete) return outgoing.play(offer);
    picker.follow(offer.path);
    return this.match.refresh();
  }

  #openChooser() {
    const { board, outgoing, picker } = this.match;
    const { offers, goesOn } = picker.choice;
    const does = (offer) => () => {
      closePopover();
      picker.choose(offer);
      if (offer && !offer.needs_confirmation) outgoing.play(offer);
      else this.match.refresh();
      if (offer?.needs_confirmation) this.#confirmHere();
    };
    const rows = offers.map((offer) =>
      make("button", { class: "btn", onclick: does(offer) }, icon(iconName(offer.kind) ?? "act"), offer.label));
    if (goesOn) rows.push(make("button", { class: "btn", onclick: does(null) }, icon("act"), say("go-on")));
    const content = make("div", { class: "choices" }, make("span", { class: "sect" }, say("which")), ...rows);
    const at = board.hits.get(picker.path.at(-1)) ?? buttonOf(picker.path.at(-1)) ?? document.getElementById("prompt");
    const places = new Set([...picker.path, ...offers.flatMap(({ marks }) => marks).flatMap(({ places: each }) => each)]);
    const avoid = [...places].map((place) => board.hits.get(place)).filter(Boolean);
    openPopover(content, at, { label: say("which"), avoid, isLow: DOCK.matches }).querySelector("button").focus({ focusVisible: false });
  }

  /** Whoever chose from a list finds the button to be sure under the same key. */
  #confirmHere() {
    announce("polite", this.match.bar.sentence());
    primaryButton()?.focus({ focusVisible: false });
  }

  /** The numbered list, again and again until something is chosen. */
  openWhat() {
    const { isFree, line, narration, picker } = this.match;
    const next = isFree ? [...picker.next()] : [];
    openWhat(next.map((element) => ({ element, label: narration.rowOf(element) })), (element) => {
      this.touch(element, "key");
      if (line.pending || picker.choice || !picker.path.length) return;
      if (picker.isComplete) this.#confirmHere();
      else this.openWhat();
    });
  }

  /** The key of an offer stands for the first place of its path; false if no offer has it now. */
  pressKey(key) {
    const { isFree, picker } = this.match;
    const offer = isFree && picker.matching([]).find((each) => each.key === key);
    if (!offer) return false;
    picker.drop();
    this.touch(offer.path[0], "key");
    return true;
  }
}

/** A finger is asked, except to let the die fall and for what can be undone. */
function playsAtOnce({ actions, can_be_undone: isLight, needs_confirmation: isAsked }, how) {
  return !isAsked && (how !== "touch" || !actions.length || isLight);
}
