// A match on a page: it shows the views it is given, lets somebody choose among what is offered, and
// sends back actions. It knows no game and no rules, and not who is around the match either.
import { announce } from "../lib/announce.js";
import { DOCK, TALL } from "../lib/breakpoints.js";
import { closeSheet } from "../lib/dialog.js";
import { icon, make } from "../lib/dom.js";
import { isolate, say } from "../lib/i18n.js";
import { closePopover, openPopover } from "../lib/popover.js";
import { randomId } from "../lib/random_id.js";
import { buzz, CHOSEN, play, playEvents, YOUR_TURN } from "../lib/sound.js";
import { showToast } from "../lib/toast.js";
import { isInstant, readingTime } from "../lib/pace.js";
import { clearAmounts, showAmounts } from "./amounts.js";
import { Board } from "./board.js";
import "./coordinates.js";
import { forcedMovesPlay, openKeyboardHelp, openWhat } from "./dialogs.js";
import { dropCurtain, raiseCurtain } from "./handover.js";
import { listen as listenToKeys } from "./keyboard.js";
import { clear, drawDrops, drawLast, drawPath, drawRefusal } from "./marks.js";
import { momentsIn, sceneIn, showMoment } from "./moments.js";
import { Motion } from "./motion.js";
import { distinct, Picker } from "./picker.js";
import { listen as listenToPointer } from "./pointer.js";
import { buttonOf, primaryButton, showPrompt } from "./prompt.js";
import { explanation, ruleLink } from "./refusal.js";
import { hideRevealCard, showLoud } from "./reveal.js";
import { closeRules } from "./rules_drawer.js";
import { StageLine } from "./stage_line.js";
import { UpdateQueue } from "./update_queue.js";

const LONG = 400;
/** How long a move that plays itself is seen before. */
const PREVIEW = 900;
/** The same place is not touched twice by one double tap. */
const AGAIN = 400;
const BUTTON = "btn-";
const MOST_BUTTONS = 3;
const find = (id) => document.getElementById(id);
const kibitzer = document.querySelector(".top .mark").outerHTML;

/** What a page may add to a match. */
const PAGE = {
  /** Something was said over the line, in its turn. */
  onMessage(message) {},
  /** A view has come: show what is beside the board. */
  onArrive(view, before) {},
  /** What can be chosen was drawn once more. */
  onRefresh() {},
  /** Everything it tells of stands still. */
  onSettle(view, before) {},
  /** Whether a touch of an element is the page's own, and not part of a path. */
  takes(element) { return false; },
  /** Whether an element has to be left alone for now. */
  isHeld(element) { return false; },
  /** Buttons for when nothing is being chosen: after the game's own, and after the end. */
  restButtons() { return []; },
  endButtons() { return []; },
  /** What the bar says instead of everything else, or null. */
  prompt() { return null; },
  /** What it says beside everything else. */
  note() { return ""; },
  /** Single keys that are the page's own. */
  keys: {},
  /** Shows once more what others did since somebody last acted here. */
  showAgain() {},
};

export class MatchView {
  board = new Board(find("stage"));
  picker = new Picker();
  motion = new Motion();
  view = null;
  /** Whether the drawing is the one for an upright phone. */
  isTall = false;
  /** What was refused and is still shown, and where it was touched. */
  refused = null;
  asked = { key: null, element: "" };
  isSlow = false;
  /** Something was sent that no view has shown yet. */
  hasSent = false;
  /** What was sent last by one touch, and when it was answered. */
  pressed = { element: "", answered: 0 };
  /** The only move there is, while it is shown before it plays itself. */
  forced = null;
  /** A position of the past that is looked at. */
  past = null;
  isClosed = false;
  /** The view whose scene was played on the board as it was before. */
  played = null;

  /** `line` has `act`, `ask` and `pending`; what it gets goes to `receive`. */
  constructor(line, page = {}) {
    this.line = line;
    this.page = { ...PAGE, ...page };
    this.updates = new UpdateQueue(this.motion, this.board, {
      onMessage: (message) => this.showMessage(message),
      rolls: (events) => { this.rolled = events; play("dome"); },
      isShown: () => !this.past,
      before: (view) => this.playScene(view),
    });
    const told = find("stage-line");
    this.stageLine = told && new StageLine(told, () => this.page.showAgain());
    listenToPointer(this.board, {
      touch: (element, how) => this.touch(element, how),
      explain: (element) => this.explain(element),
      lift: (element) => this.lift(element),
      drop: (from, to, how) => this.drop(from, to, how),
      put: () => this.refresh(),
    });
    listenToKeys(this.board, {
      touch: (element) => this.touch(element, "key"),
      explain: (element) => this.explain(element),
      back: () => this.back(),
      drop: () => this.leave(),
      what: () => this.what(),
      last: () => this.showLast(),
      state: () => this.tellState(),
      key: (key) => this.pressKey(key),
      help: () => openKeyboardHelp(this.view),
      ...this.page.keys,
    });
    DOCK.addEventListener("change", () => this.view && this.dismiss());
    TALL.addEventListener("change", () => this.line.ask({ type: "look", is_tall: TALL.matches }));
  }

  // From the line

  receive(message) {
    this.updates.take(message);
  }

  showMessage(message) {
    this.page.onMessage(message);
    if (message.type === "view") return this.take(message);
    if (!this.view) return null;
    if (message.type === "refused") this.refuse(message);
    else if (message.type === "stale") showToast(say("stale"));
    if (["refused", "stale"].includes(message.type)) this.hasSent = false;
    this.refresh();
    return null;
  }

  async take(view) {
    const { board, motion, picker } = this;
    motion.finish();
    const before = this.view;
    // What others do in secret meanwhile does not take away what is being chosen here.
    const isQuiet = !this.hasSent && view.acting && isAlike(before?.offers, view.offers);
    const isSame = before?.seq === view.seq || isQuiet;
    if (this.hasSent && !isSame) this.pressed.answered = performance.now();
    this.hasSent = this.hasSent && isSame;
    this.view = view;
    if (!isQuiet) this.forced = null;
    if (this.played !== view) this.played = null;
    if (!isQuiet) picker.reset(view.offers, isSame ? picker.path : []);
    if (!isSame) this.forget();
    if (this.past && view.outcome && !before.outcome) this.past = null;
    if (this.past) {
      this.page.onArrive(view, before);
      return;
    }
    if (view.svg) this.isTall = TALL.matches;
    const ways = view.svg ? new Map() : motion.rekey(board, view.events);
    board.letGo();
    if (view.svg) board.show(view.svg);
    else board.merge(view.layers);
    this.page.onArrive(view, before);
    clear(board, "hints", "targets", "refuse");
    drawLast(board, view.last, view.last_marks);
    clearAmounts(board, view);
    this.tell(view);
    const sentences = view.events.map(({ text }) => text);
    if (view.curtain) this.veil(view.curtain, sentences);
    else if (raiseCurtain()) board.hits.get(board.cursor)?.focus({ focusVisible: false });
    announce("polite", sentences.map((text) => text.replace(/\.$/, "")).join(". "));
    const heard = this.played === view ? sceneIn(view.events).length : 0;
    if (!view.svg) playEvents(heardIn(view, view.events.slice(heard)).filter(({ sound }) => sound !== "dome" || this.rolled !== view.events));
    const still = motion.run(board, view.events, ways);
    this.refresh();
    if (!view.curtain && !view.outcome) showLoud(view.events, board, [...picker.next()]);
    await still;
    if (this.view !== view || this.past) return;
    this.refresh();
    if (!view.svg) await this.celebrate(view, before, heard);
    if (this.view !== view || this.past) return;
    this.playForced(view);
    if (isTurnOf(view) && !(before && isTurnOf(before)) && !view.outcome) this.stageLine?.recall(view);
    if (view.acting && view.acting !== before?.acting && !view.outcome) this.call(view);
    if (view.outcome && before && !before.outcome) announce("urgent", `${view.outcome.title}. ${view.outcome.why}`);
    this.page.onSettle(view, before);
  }

  /** The stage line says what happened, and the next view waits until that could be read. */
  tell(view) {
    const { stageLine } = this;
    if (!stageLine) return;
    if (this.played !== view) stageLine.tell(view);
    stageLine.offerAgain(view.recap.length > 0 && !view.curtain && !view.seats.every(({ is_mine: isMine }) => isMine));
    if (!view.short_texts.length || view.svg) return;
    const mine = new Set(view.seats.filter(({ is_mine: isMine }) => isMine).map(({ seat }) => seat));
    this.updates.hold(readingTime(view.short_texts.join(" "), view.events.every(({ seat }) => mine.has(seat))));
  }

  /** What ended a scene is seen before the next one is set. */
  async playScene(view) {
    const events = sceneIn(view.events);
    if (!events.length || isInstant() || document.hidden || !this.board.svg) return;
    this.played = view;
    this.stageLine?.tell(view);
    this.refresh();
    await this.showScene(events);
  }

  async showScene(events) {
    clear(this.board, "hints", "targets", "refuse", "last");
    playEvents(events);
    await this.motion.perform(this.board, events);
    for (const moment of momentsIn(events)) await showMoment(this.board, moment);
  }

  /** The moments of a view that have not been seen yet, and the end of a match. */
  async celebrate(view, before, seen) {
    const { board } = this;
    if (!this.stageLine) return;
    showAmounts(board, view);
    for (const moment of momentsIn(view.events.slice(seen))) await showMoment(board, moment);
    if (view.outcome && before && !before.outcome) {
      await showMoment(board, { effect: isLostTo(view) || !view.outcome.winners.length ? "lost" : "win", title: view.outcome.title, place: "" });
    }
  }

  /** Somebody's turn has come. */
  call({ seats, title }) {
    announce("urgent", title);
    if (seats.every(({ is_mine: isMine }) => isMine)) return;
    play("turn");
    buzz(YOUR_TURN);
  }

  /** The only move plays itself once it has been seen, if that is wished for, unless it is one to be asked about. */
  playForced(view) {
    const { picker } = this;
    const offer = view.offers.find(({ actions, needs_confirmation: isAsked }) => !isAsked && actions.length === 1 && actions[0] === view.only[0]);
    if (!offer || !this.isFree || picker.path.length || !forcedMovesPlay(view.table)) return;
    this.forced = offer;
    picker.follow(offer.path);
    picker.choose(offer);
    this.refresh();
    announce("polite", this.sentence());
    setTimeout(() => { if (this.forced === offer && this.isFree) this.play(offer); }, PREVIEW);
  }

  /** Nothing that only one may see stays on the page. */
  veil(curtain, sentences) {
    closeSheet();
    hideRevealCard();
    this.stageLine?.clear();
    this.board.setCursor([...this.board.hits.keys()][0]); // Where somebody last was may be their secret.
    for (const region of ["polite", "urgent"]) announce(region, "");
    dropCurtain(curtain, sentences, (seat) => this.line.ask({ type: "unveil", seat }));
  }

  refuse(message) {
    const { board } = this;
    board.letGo();
    if (message.key !== this.asked.key) {
      this.picker.drop();
      this.asked = { key: message.key, element: "" };
    }
    this.refused = { ...message, element: message.at || this.asked.element };
    drawRefusal(board, message);
    play("refused");
    announce("urgent", message.message);
    if (DOCK.matches) return;
    const hit = board.hits.get(this.refused.element) ?? find("prompt");
    const isBad = message.at || message.because || message.picture;
    openPopover(explanation(message, () => this.dismiss()), hit, {
      kind: `${isBad ? "bad" : ""} ${message.picture ? "with-picture" : ""}`, role: "note",
    });
  }

  // The past

  /** Shows an earlier position, to look at only; `past` has `svg`, `events`, `last` and `last_marks`. The one that comes next moves. */
  async showPast(past, isNext) {
    const { board, motion } = this;
    motion.finish();
    this.forget();
    hideRevealCard();
    this.picker.drop();
    this.past = past;
    board.letGo();
    const scene = isNext ? sceneIn(past.events) : [];
    if (scene.length) await this.showScene(scene);
    if (this.past !== past) return;
    const ways = isNext ? motion.rekey(board, past.events) : new Map();
    if (isNext) board.become(past.svg);
    else board.show(past.svg);
    drawLast(board, past.last, past.last_marks);
    this.refresh();
    if (isNext) playEvents(past.events.slice(scene.length));
    await motion.run(board, past.events, ways);
  }

  /** Back to the present: the drawing is asked for anew. */
  showPresent() {
    if (!this.past) return;
    this.past = null;
    this.line.ask({ type: "look", is_tall: TALL.matches });
  }

  /** Nothing can be done any more, whatever was offered last. */
  close() {
    this.isClosed = true;
    this.picker.reset([], []);
    this.dismiss();
  }

  // From the player

  get isFree() {
    return Boolean(this.view?.acting) && !this.line.pending && !this.past && !this.isClosed && !this.isInScene;
  }

  /** What ended a scene is being seen: the board is not yet the one of the latest view. */
  get isInScene() {
    return Boolean(this.played) && this.played !== this.view;
  }

  touch(element, how) {
    const { line, motion, picker, view } = this;
    if (!view || this.past) return;
    if (motion.isRunning) {
      motion.finish();
      if (!view.acting || this.hasSent) return;
    }
    if (line.pending) return;
    const { forced } = this;
    this.forced = null;
    this.forget();
    hideRevealCard();
    const isLast = element === picker.path.at(-1) && !picker.next().has(element);
    if (this.page.takes(element)) this.refresh();
    else if (forced && !isButton(element)) this.play(forced);
    else if (!view.acting) this.ask(element);
    else if (this.isHeld(element)) this.refresh();
    else if (isLast && picker.isComplete) this.play(picker.chosenOffer);
    else if (isLast) this.back();
    else if (picker.touch(element)) this.settle(how);
    else this.ask(element);
  }

  /** The die is left alone for a while: somebody may want to be quicker. */
  isHeld(element) {
    const left = this.picker.matching([...this.picker.path, element]);
    return left.length > 0 && left.every(({ actions }) => !actions.length) && this.page.isHeld(element);
  }

  /** After a step along the path: done, to be confirmed, or one of several. */
  settle(how) {
    const { picker } = this;
    if (picker.isComplete && this.playsAtOnce(picker.chosenOffer, how)) {
      if (this.isDoubled()) this.back();
      else this.play(picker.chosenOffer);
      return;
    }
    buzz(CHOSEN);
    this.refresh();
    if (picker.choice) this.openChooser();
    else announce("polite", this.sentence());
  }

  /** A finger is asked, except to let the die fall and for what can be undone. */
  playsAtOnce({ actions, can_be_undone: isLight, needs_confirmation: isAsked }, how) {
    return !isAsked && (how !== "touch" || !actions.length || isLight);
  }

  /** The second half of a double tap, after what the first one did has changed the board. */
  isDoubled() {
    const { element, answered } = this.pressed;
    return this.picker.path.length === 1 && this.picker.path[0] === element && performance.now() - answered < AGAIN;
  }

  /** May this be dragged? Shows where to. */
  lift(element) {
    const drops = this.isFree ? this.picker.drops(element) : new Map();
    if (drops.size) {
      this.forget();
      drawDrops(this.board, drops);
    }
    return drops.size > 0;
  }

  /** True if something was sent. */
  drop(from, to, how) {
    const offers = distinct(this.picker.drops(from).get(to) ?? []);
    if (!this.isFree || !offers.length) return false;
    this.picker.follow(offers[0].path);
    if (offers.length > 1) this.picker.choice = { offers, goesOn: false };
    this.settle(how);
    return this.line.pending !== null;
  }

  explain(element) {
    if (!this.view || this.past) return;
    this.forget();
    this.ask(element);
  }

  /** Why may this not come next? A path that is whole already is asked about with another end. */
  ask(element) {
    const { picker, view } = this;
    const path = view.acting ? picker.path.slice(0, picker.isComplete ? -1 : undefined) : [];
    if (path.at(-1) !== element) path.push(element);
    this.asked = { key: randomId(), element };
    this.line.ask({ type: "explain", key: this.asked.key, seat: this.seat, path });
    this.refresh();
  }

  /** Whoever acts here, or would. */
  get seat() {
    return this.view.acting ?? this.view.seats.find(({ is_mine: isMine }) => isMine)?.seat ?? null;
  }

  play({ actions, path, seat }) {
    this.pressed = { element: path.length === 1 ? path[0] : "", answered: Infinity };
    this.send(actions, seat);
  }

  send(actions, seat = this.seat) {
    this.dispatch({ seq: this.view.seq, seat, actions });
  }

  dispatch(message) {
    this.forget();
    this.forced = null;
    const key = this.line.act(message);
    this.hasSent = true;
    this.isSlow = false;
    setTimeout(() => {
      this.isSlow = this.line.pending?.key === key;
      this.refresh();
    }, LONG);
    this.refresh();
  }

  back() {
    this.forget();
    this.forced = null;
    if (!this.picker.path.length) return false;
    this.picker.back();
    this.refresh();
    return true;
  }

  /** Escape: the uppermost thing goes. */
  leave() {
    if (this.refused || this.picker.choice) {
      if (this.picker.choice) this.picker.back();
      this.dismiss();
    } else if (this.picker.path.length) {
      this.forced = null;
      this.picker.drop();
      this.refresh();
    } else if (this.past) {
      this.showPresent();
    } else {
      return closeRules();
    }
    return true;
  }

  dismiss() {
    this.forget();
    this.refresh();
  }

  /** Takes the refusal away. */
  forget() {
    this.refused = null;
    closePopover();
    if (this.board.svg) clear(this.board, "refuse");
  }

  openChooser() {
    const { picker } = this;
    const { offers, goesOn } = picker.choice;
    const does = (offer) => () => {
      closePopover();
      picker.choose(offer);
      if (offer && !offer.needs_confirmation) this.play(offer);
      else this.refresh();
      if (offer?.needs_confirmation) this.confirmHere();
    };
    const rows = offers.map((offer) =>
      make("button", { class: "btn", onclick: does(offer) }, icon(iconName(offer.kind) ?? "act"), offer.label));
    if (goesOn) rows.push(make("button", { class: "btn", onclick: does(null) }, icon("act"), say("go-on")));
    const content = make("div", { class: "choices" }, make("span", { class: "sect" }, say("which")), ...rows);
    const at = this.board.hits.get(picker.path.at(-1)) ?? buttonOf(picker.path.at(-1)) ?? find("prompt");
    const places = new Set([...picker.path, ...offers.flatMap(({ marks }) => marks).flatMap(({ places: each }) => each)]);
    const avoid = [...places].map((place) => this.board.hits.get(place)).filter(Boolean);
    openPopover(content, at, { label: say("which"), avoid, isLow: DOCK.matches }).querySelector("button").focus({ focusVisible: false });
  }

  /** Whoever chose from a list finds the button to be sure under the same key. */
  confirmHere() {
    announce("polite", this.sentence());
    primaryButton()?.focus({ focusVisible: false });
  }

  // What is shown while nothing moves

  refresh() {
    const { board, line, motion, picker } = this;
    if (!board.svg) return;
    const isFree = this.isFree && !motion.isRunning;
    const next = isFree ? picker.next() : new Set();
    const held = new Set(isFree ? [...board.hits.keys()].filter((element) => board.piece(element) && picker.drops(element).size) : []);
    board.light(next, held, (element) => this.describe(element));
    if (isFree || (line.pending && !this.past)) drawPath(board, picker, picker.isComplete ? picker.chosenOffer : null);
    else clear(board, "hints", "targets");
    this.prompt();
    this.page.onRefresh();
  }

  prompt() {
    const { picker, refused, view } = this;
    const own = this.page.prompt();
    const picture = this.facing()?.glyph ?? "";
    if (refused && DOCK.matches) {
      const offers = [{ label: view.acting ? say("choose-again") : say("close"), does: () => this.dismiss() }];
      showPrompt({ say: refused.message, picture: refused.picture ?? kibitzer, more: refused.picture_title, link: ruleLink(refused), offers, kind: "refused" });
    } else if (own) {
      showPrompt(own);
    } else if (this.isInScene) {
      showPrompt({ say: "" });
    } else if (this.isSlow && this.line.pending) {
      showPrompt({ say: say("sending"), picture });
    } else if (picker.path.length) {
      const more = this.withNote(this.advice());
      showPrompt({ say: this.sentence(), more, picture, offers: this.pathButtons(), kind: picker.isComplete ? "sure" : "" });
    } else if (view.outcome) {
      showPrompt({ say: view.outcome.title, more: view.outcome.why, picture: winner(view), offers: this.endButtons(), kind: "ended" });
    } else {
      const others = [...this.gameButtons(), ...this.page.restButtons()];
      const offers = [...others, ...this.undoButton(others.every(({ goesOn }) => goesOn))];
      showPrompt({ say: view.title, more: this.withNote(view.hint), picture, offers });
    }
  }

  withNote(text) {
    return [this.page.note(), text].filter(Boolean).join(" ");
  }

  /** The seat whose picture goes with what is said. */
  facing() {
    const { acting, seats, table } = this.view;
    const free = table.is_waiting && seats.find((seat) => seat.is_free);
    const acts = seats.find(({ seat }) => seat === acting);
    return free || (acts?.is_to_act ? acts : seats.find((seat) => seat.is_to_act) ?? acts);
  }

  sentence() {
    const { picker } = this;
    if (picker.choice) return say("which");
    const offer = picker.chosenOffer && picker.isComplete ? picker.chosenOffer : picker.matching()[0];
    return offer.prompts[picker.path.length - 1] ?? offer.label;
  }

  advice() {
    const { picker } = this;
    if (this.forced) return say("one-way");
    if (picker.isComplete) return isButton(picker.path.at(-1)) ? "" : say("touch-hint");
    const kinds = new Set(picker.matching().flatMap(({ marks }) => marks).filter(({ after }) => after === picker.path.length).map(({ kind }) => kind));
    if (kinds.has("push") && kinds.has("pull")) return say("legend");
    return picker.chosenOffer ? say("one-way") : "";
  }

  pathButtons() {
    const { chosenOffer: chosen } = this.picker;
    const game = this.gameButtons();
    const stay = this.stayingButtons(game);
    // Where something stays there is less room.
    const back = { icon: "undo", does: () => this.back(), ...(stay.length ? { name: say("back"), kind: "only" } : { label: say("back") }) };
    if (this.forced) return [...stay.filter(({ isAlways }) => isAlways), back];
    if (!chosen) return [...stay, back, ...game.filter(({ goesOn }) => goesOn)];
    const sure = { label: chosen.label, kind: "pri", goesOn: true, does: () => this.confirm(chosen) };
    return [...stay, back, ...(this.line.pending || this.hasSent ? [] : [sure])];
  }

  /** What stays where it was while something else is being chosen: what is there at all times, and what ends the turn. */
  stayingButtons(game) {
    const always = game.filter(({ isAlways }) => isAlways);
    const isChosen = this.picker.path.some(isButton);
    const atOnce = isChosen ? [] : this.gameButtons([]).filter(({ isAlways, goesOn }) => !isAlways && !goesOn);
    return [...always, ...atOnce];
  }

  /** The button is the word to be sure, once the path has been seen to its end. */
  confirm(offer) {
    if (!offer.needs_confirmation || this.picker.isComplete) return this.play(offer);
    this.picker.follow(offer.path);
    this.refresh();
  }

  /** The game's own buttons: what may come next, or else what might have come first; or those after a path. */
  gameButtons(after = null) {
    const { picker, view } = this;
    if (!this.isFree) return [];
    const onTheWay = [...picker.next()].some(isButton);
    const path = after ?? (onTheWay ? picker.path : []);
    const others = distinct(picker.matching([]).filter((offer) => !offer.is_always_shown));
    /** @type {any[]} */
    const all = [...picker.next(path)].filter(isButton).map((element) => {
      const left = distinct(picker.matching([...path, element]));
      const isAlways = left.some((offer) => offer.is_always_shown);
      const plays = left.length === 1 && left[0].path.length === path.length + 1;
      const urgent = left.some((offer) => offer.is_urgent);
      const kind = urgent ? "spark" : picker.path.includes(element) ? "soft" : plays && isAll(left, others) ? "pri" : "";
      return { label: view.buttons[element], icon: iconName(element.slice(BUTTON.length)), kind: isAlways ? `always ${kind}` : kind, element, isAlways,
        goesOn: !isAlways && !plays, does: () => this.touch(element, "button") };
    });
    // A choice between buttons has the room of all that goes on.
    const answers = all.filter(({ isAlways, goesOn }) => !isAlways && !goesOn);
    if (answers.length > 1) for (const each of answers) each.goesOn = true;
    all.sort((a, b) => Number(b.isAlways) - Number(a.isAlways));
    const [shown, rest] = [all.slice(0, MOST_BUTTONS), all.slice(MOST_BUTTONS)];
    if (rest.length) shown.push({ name: say("more"), icon: "more", kind: "only", element: "more", goesOn: true, does: () => this.openMore(rest) });
    return shown;
  }

  /** After the end board and words keep their room: where there is much to do, what is seldom wanted is behind one button. */
  endButtons() {
    const all = [...this.undoButton(), ...this.page.endButtons()];
    if (all.length <= MOST_BUTTONS) return all;
    const shown = all.filter(({ isFirst }) => isFirst);
    const rest = all.filter(({ isFirst }) => !isFirst);
    return [...shown, { label: say("more"), icon: "more", element: "more", goesOn: true, does: () => this.openMore(rest) }];
  }

  /** The buttons for which there is no room. */
  openMore(buttons) {
    const rows = buttons.map(({ label, icon: name, does }) =>
      make("button", { class: "btn", onclick: () => { closePopover(); does(); } }, icon(name ?? "act"), label));
    openPopover(make("div", { class: "choices" }, ...rows), buttonOf("more"), { label: say("more") }).querySelector("button").focus({ focusVisible: false });
  }

  /** Beside others its picture is enough: in some languages both have no room on one line. */
  undoButton(isAlone = true) {
    const { undo } = this.view;
    const look = undo && (isAlone ? { label: undo.label } : { name: undo.label, kind: "only" });
    return undo && !this.line.pending ? [{ ...look, icon: "undo", does: () => this.send([undo.text]) }] : [];
  }

  /** What touching this would do, for somebody who does not see the board. */
  describe(element) {
    const left = distinct(this.picker.matching([...this.picker.path, element]));
    return left.length === 1 ? left[0].label : say("may-choose");
  }

  // By keyboard

  /** The numbered list, again and again until something is chosen. */
  what() {
    const { line, picker } = this;
    const next = this.isFree ? [...picker.next()] : [];
    openWhat(next.map((element) => ({ element, label: this.rowOf(element) })), (element) => {
      this.touch(element, "key");
      if (line.pending || picker.choice || !picker.path.length) return;
      if (picker.isComplete) this.confirmHere();
      else this.what();
    });
  }

  rowOf(element) {
    const left = distinct(this.picker.matching([...this.picker.path, element]));
    const name = this.view.buttons[element] ?? this.board.name(element);
    if (left.every(({ path }) => path.at(-1) === element)) return left.map(({ label }) => label).join(" · ");
    return left.length > 1 ? name : `${name}: ${left[0].label}`;
  }

  /** The key of an offer stands for the first place of its path; false if no offer has it now. */
  pressKey(key) {
    const offer = this.isFree && this.picker.matching([]).find((each) => each.key === key);
    if (!offer) return false;
    this.picker.drop();
    this.touch(offer.path[0], "key");
    return true;
  }

  showLast() {
    announce("polite", this.view.latest || say("no-moves"));
    this.board.layer("last").animate([{ opacity: 1 }, { opacity: 0.2 }, { opacity: 1 }], { duration: 400, iterations: 2 });
  }

  /** Where the match stands, in words. */
  tellState() {
    const { hint, seats, status, title } = this.view;
    const people = seats.map(({ name, player, note }) => [player ? isolate(player) : name, note].filter(Boolean).join(", "));
    const state = [title, hint, ...status, ...people].filter(Boolean).map((text) => text.replace(/\.$/, "")).join(". ");
    announce("polite", state);
    showToast(state);
  }
}

export function winner({ outcome, seats }) {
  return seats.find(({ seat }) => outcome.winners.includes(seat))?.glyph ?? "";
}

/** Whether the only one who plays here has lost. */
function isLostTo({ outcome, seats }) {
  const mine = seats.filter(({ is_mine: isMine }) => isMine);
  return Boolean(outcome) && mine.length === 1 && outcome.winners.length > 0 && !outcome.winners.includes(mine[0].seat);
}

/** Events as they are heard here: the fanfare is not for whoever lost. */
function heardIn(view, events) {
  return isLostTo(view) ? events.map((event) => (event.sound === "win" ? { ...event, sound: "defeat" } : event)) : events;
}

/** Whether somebody who plays here is to act. */
function isTurnOf({ seats }) {
  return seats.some(({ is_mine: isMine, is_to_act: isToAct }) => isMine && isToAct);
}

function isAlike(one, two) {
  return JSON.stringify(one) === JSON.stringify(two);
}

/** Whether these offers are all there are. */
function isAll(offers, others) {
  return others.every((other) => offers.some((offer) => isAlike(offer.actions, other.actions)));
}

/** The name of an icon, if there is one of this name. */
function iconName(name) {
  return find(`i-${name}`) ? name : null;
}

function isButton(element) {
  return element.startsWith(BUTTON);
}
