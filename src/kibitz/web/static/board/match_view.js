// A match on a page: it shows the sights it is given, lets somebody choose among what is offered, and
// sends back texts. It knows no game and no rules, and not who is around the match either.
import { announce } from "../lib/announce.js";
import { DOCK, TALL } from "../lib/breakpoints.js";
import { closeSheet } from "../lib/dialog.js";
import { icon, make } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { closePopover, openPopover } from "../lib/popover.js";
import { randomId } from "../lib/random_id.js";
import { buzz, CHOSEN, play, playTold, YOUR_TURN } from "../lib/sound.js";
import { showToast } from "../lib/toast.js";
import { Board } from "./board.js";
import { autoChoiceIsOn, openKeyboardHelp, openWhat } from "./dialogs.js";
import { dropCurtain, raiseCurtain } from "./handover.js";
import { listen as listenToKeys } from "./keyboard.js";
import { clear, drawDrops, drawLast, drawPath, drawRefusal } from "./marks.js";
import { Motion } from "./motion.js";
import { distinct, Picker } from "./picker.js";
import { listen as listenToPointer } from "./pointer.js";
import { buttonOf, primaryButton, showPrompt } from "./prompt.js";
import { explanation, ruleLink } from "./refusal.js";
import { hideMoment, showLoud } from "./reveal.js";
import { closeRules } from "./rules_drawer.js";
import { UpdateQueue } from "./update_queue.js";

const LONG = 400;
const ONLY = 700;
const BUTTON = "btn-";
const MOST_BUTTONS = 3;
const find = (id) => document.getElementById(id);
const kibitzer = document.querySelector(".top .mark").outerHTML;

/** What a page may add to a match. */
const PAGE = {
  /** Something was said over the line, in its turn. */
  onMessage(message) {},
  /** A sight has come: show what is beside the board. */
  arrived(sight, before) {},
  /** Everything it told of stands still. */
  settled(sight, before) {},
  /** Whether a touch of an element is the page's own, and not part of a path. */
  takes(element) { return false; },
  /** Whether an element has to be left alone for now. */
  isHeld(element) { return false; },
  /** Buttons for when nothing is being chosen: after the game's own, and after the end. */
  restButtons() { return []; },
  endButtons() { return []; },
  /** What the bar says instead of everything else, or null. */
  prompt() { return null; },
  /** Single keys that are the page's own. */
  keys: {},
};

export class MatchView {
  board = new Board(find("stage"));
  picker = new Picker();
  motion = new Motion();
  seen = null;
  /** Whether the drawing is the one for an upright phone. */
  isTall = false;
  /** What was refused and is still shown, and where it was touched. */
  refused = null;
  asked = { key: null, element: "" };
  isSlow = false;
  /** Something was sent that no sight has shown yet. */
  hasSent = false;
  /** A position of the past that is looked at. */
  past = null;
  isClosed = false;

  /** `line` has `act`, `ask` and `pending`; what it gets goes to `receive`. */
  constructor(line, page = {}) {
    this.line = line;
    this.page = { ...PAGE, ...page };
    this.inTurn = new UpdateQueue(this.motion, this.board, {
      onMessage: (message) => this.showMessage(message),
      rolls: (told) => { this.rolled = told; play("dome"); },
      isShown: () => !this.past,
    });
    listenToPointer(this.board, {
      touch: (element, how) => this.touch(element, how),
      why: (element) => this.why(element),
      lift: (element) => this.lift(element),
      drop: (from, to, how) => this.drop(from, to, how),
      put: () => this.refresh(),
    });
    listenToKeys(this.board, {
      touch: (element) => this.touch(element, "key"),
      why: (element) => this.why(element),
      back: () => this.back(),
      drop: () => this.leave(),
      what: () => this.what(),
      last: () => this.showLast(),
      state: () => this.tellState(),
      button: (element) => this.pressButton(element),
      help: openKeyboardHelp,
      ...this.page.keys,
    });
    DOCK.addEventListener("change", () => this.seen && this.dismiss());
    TALL.addEventListener("change", () => this.line.ask({ do: "look", tall: TALL.matches }));
  }

  // From the line

  receive(message) {
    this.inTurn.take(message);
  }

  showMessage(message) {
    this.page.onMessage(message);
    if (message.is === "sight") this.take(message);
    else if (!this.seen) return;
    else if (message.is === "refused") this.refuse(message);
    else if (message.is === "stale") showToast(say("stale"));
    if (["refused", "stale"].includes(message.is)) this.hasSent = false;
    if (message.is !== "sight") this.refresh();
  }

  async take(sight) {
    const { board, motion, picker } = this;
    motion.finish();
    const before = this.seen;
    // What others do in secret meanwhile does not take away what is being chosen here.
    const isQuiet = !this.hasSent && sight.acting && isAlike(before?.offers, sight.offers);
    const isSame = before?.seq === sight.seq || isQuiet;
    this.hasSent = this.hasSent && isSame;
    this.seen = sight;
    if (!isQuiet) picker.reset(sight.offers, isSame ? picker.path : []);
    if (!isSame) this.forget();
    if (this.past && sight.outcome && !before.outcome) this.past = null;
    if (this.past) {
      this.page.arrived(sight, before);
      return;
    }
    if (sight.svg) this.isTall = TALL.matches;
    const ways = sight.svg ? new Map() : motion.rekey(board, sight.told);
    board.letGo();
    if (sight.svg) board.show(sight.svg);
    else board.merge(sight.layers);
    this.page.arrived(sight, before);
    clear(board, "hints", "targets", "refuse");
    drawLast(board, sight.last);
    const told = sight.told.map(({ text }) => text);
    if (sight.curtain) this.veil(sight.curtain, told);
    else if (raiseCurtain()) board.hits.get(board.cursor)?.focus({ focusVisible: false });
    announce("polite", told.map((text) => text.replace(/\.$/, "")).join(". "));
    if (!sight.svg) playTold(sight.told.filter(({ sound }) => sound !== "dome" || this.rolled !== sight.told));
    const still = motion.run(board, sight.told, ways);
    this.refresh();
    if (!sight.curtain && !sight.outcome) showLoud(sight.told, board, [...picker.next()]);
    await still;
    if (this.seen !== sight || this.past) return;
    this.refresh();
    this.playOnly(sight);
    if (sight.acting && sight.acting !== before?.acting && !sight.outcome) this.call(sight);
    if (sight.outcome && before && !before.outcome) announce("urgent", `${sight.outcome.title}. ${sight.outcome.why}`);
    this.page.settled(sight, before);
  }

  /** Somebody's turn has come. */
  call({ seats, title }) {
    announce("urgent", title);
    if (seats.every(({ mine }) => mine)) return;
    play("turn");
    buzz(YOUR_TURN);
  }

  /** The only choice makes itself, if that is wished for, unless it is one to be asked about. */
  playOnly(sight) {
    const [text] = sight.only;
    if (!text || !autoChoiceIsOn() || sight.offers.some(({ texts, ask }) => ask && texts[0] === text)) return;
    setTimeout(() => { if (this.seen === sight && !this.line.pending && !this.picker.path.length) this.send([text]); }, ONLY);
  }

  /** Nothing that only one may see stays on the page. */
  veil(curtain, told) {
    closeSheet();
    hideMoment();
    this.board.setCursor([...this.board.hits.keys()][0]); // Where somebody last was may be their secret.
    for (const region of ["polite", "urgent"]) announce(region, "");
    dropCurtain(curtain, told, (seat) => this.line.ask({ do: "unveil", seat }));
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
    announce("urgent", message.why);
    if (DOCK.matches) return;
    const hit = board.hits.get(this.refused.element) ?? find("prompt");
    const isBad = message.at || message.because || message.picture;
    openPopover(explanation(message, () => this.dismiss()), hit, {
      kind: `${isBad ? "bad" : ""} ${message.picture ? "with-picture" : ""}`, role: "note",
    });
  }

  // The past

  /** Shows an earlier position, to look at only; `past` has `svg`, `told` and `last`. The one that comes next moves. */
  async showPast(past, isNext) {
    const { board, motion } = this;
    motion.finish();
    this.forget();
    hideMoment();
    this.picker.drop();
    this.past = past;
    board.letGo();
    const ways = isNext ? motion.rekey(board, past.told) : new Map();
    if (isNext) board.become(past.svg);
    else board.show(past.svg);
    drawLast(board, past.last);
    this.refresh();
    if (isNext) playTold(past.told);
    await motion.run(board, past.told, ways);
  }

  /** Back to the present: the drawing is asked for anew. */
  showPresent() {
    if (!this.past) return;
    this.past = null;
    this.line.ask({ do: "look", tall: TALL.matches });
  }

  /** Nothing can be done any more, whatever was offered last. */
  close() {
    this.isClosed = true;
    this.picker.reset([], []);
    this.dismiss();
  }

  // From the player

  get isFree() {
    return Boolean(this.seen?.acting) && !this.line.pending && !this.past && !this.isClosed;
  }

  touch(element, how) {
    const { line, motion, picker, seen } = this;
    if (!seen || this.past) return;
    if (motion.isRunning) {
      motion.finish();
      if (!seen.acting || this.hasSent) return;
    }
    if (line.pending) return;
    this.forget();
    hideMoment();
    const isLast = element === picker.path.at(-1) && !picker.next().has(element);
    if (this.page.takes(element)) this.refresh();
    else if (!seen.acting) this.ask(element);
    else if (this.isHeld(element)) this.refresh();
    else if (isLast && picker.isComplete) this.play(picker.chosen);
    else if (isLast) this.back();
    else if (picker.touch(element)) this.settle(how);
    else this.ask(element);
  }

  /** The die is left alone for a while: somebody may want to be quicker. */
  isHeld(element) {
    const left = this.picker.left([...this.picker.path, element]);
    return left.length > 0 && left.every(({ texts }) => !texts.length) && this.page.isHeld(element);
  }

  /** After a step along the path: done, to be confirmed, or one of several. */
  settle(how) {
    const { picker } = this;
    if (picker.isComplete && how !== "touch" && !picker.chosen.ask) {
      this.play(picker.chosen);
      return;
    }
    buzz(CHOSEN);
    this.refresh();
    if (picker.choice) this.openChooser();
    else announce("polite", this.sentence());
  }

  /** May this be dragged? Shows where to. */
  lift(element) {
    const drops = this.isFree ? this.picker.drops(element) : new Map();
    if (drops.size) {
      this.forget();
      drawDrops(this.board, drops.keys());
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

  why(element) {
    if (!this.seen || this.past) return;
    this.forget();
    this.ask(element);
  }

  /** Why may this not come next? A path that is whole already is asked about with another end. */
  ask(element) {
    const { picker, seen } = this;
    const path = seen.acting ? picker.path.slice(0, picker.isComplete ? -1 : undefined) : [];
    if (path.at(-1) !== element) path.push(element);
    this.asked = { key: randomId(), element };
    this.line.ask({ do: "why", key: this.asked.key, seat: this.seat, path });
    this.refresh();
  }

  /** Whoever acts here, or would. */
  get seat() {
    return this.seen.acting ?? this.seen.seats.find(({ mine }) => mine)?.seat ?? null;
  }

  play({ texts, seat }) {
    this.send(texts, seat);
  }

  send(texts, seat = this.seat) {
    this.dispatch({ seq: this.seen.seq, seat, texts });
  }

  dispatch(message) {
    this.forget();
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
      if (offer && !offer.ask) this.play(offer);
      else this.refresh();
      if (offer?.ask) this.confirmHere();
    };
    const rows = offers.map((offer) =>
      make("button", { class: "btn", onclick: does(offer) }, icon(drawn(offer.kind) ?? "act"), offer.label));
    if (goesOn) rows.push(make("button", { class: "btn", onclick: does(null) }, icon("act"), say("go-on")));
    const content = make("div", { class: "choices" }, make("span", { class: "sect" }, say("which")), ...rows);
    const at = this.board.hits.get(picker.path.at(-1)) ?? buttonOf(picker.path.at(-1)) ?? find("prompt");
    openPopover(content, at, { label: say("which") }).querySelector("button").focus({ focusVisible: false });
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
    if (isFree || (line.pending && !this.past)) drawPath(board, picker, picker.isComplete ? picker.chosen : null);
    else clear(board, "hints", "targets");
    this.prompt();
  }

  prompt() {
    const { picker, refused, seen } = this;
    const own = this.page.prompt();
    const picture = this.facing()?.glyph ?? "";
    if (refused && DOCK.matches) {
      const offers = [{ label: seen.acting ? say("choose-again") : say("close"), does: () => this.dismiss() }];
      showPrompt({ say: refused.why, picture: refused.picture ?? kibitzer, more: refused.picture_title, link: ruleLink(refused), offers, kind: "refused" });
    } else if (own) {
      showPrompt(own);
    } else if (this.isSlow && this.line.pending) {
      showPrompt({ say: say("sending"), picture });
    } else if (picker.path.length) {
      showPrompt({ say: this.sentence(), more: this.advice(), picture, offers: this.pathButtons(), kind: picker.isComplete ? "sure" : "" });
    } else if (seen.outcome) {
      showPrompt({ say: seen.outcome.title, more: seen.outcome.why, picture: winner(seen), offers: [...this.undoButton(), ...this.page.endButtons()],
        kind: "ended" });
    } else {
      showPrompt({ say: seen.title, more: seen.hint, picture, offers: [...this.undoButton(), ...this.gameButtons(), ...this.page.restButtons()] });
    }
  }

  /** The seat whose picture goes with what is said. */
  facing() {
    const { acting, seats, table } = this.seen;
    const free = table.waiting && seats.find((seat) => seat.free);
    return free || (seats.find(({ seat }) => seat === acting) ?? seats.find((seat) => seat.to_act));
  }

  sentence() {
    const { picker } = this;
    if (picker.choice) return say("which");
    const offer = picker.chosen && picker.isComplete ? picker.chosen : picker.left()[0];
    return offer.says[picker.path.length - 1] ?? offer.label;
  }

  advice() {
    const { picker } = this;
    if (picker.isComplete) return isButton(picker.path.at(-1)) ? "" : say("touch-hint");
    const kinds = new Set(picker.left().flatMap(({ marks }) => marks).filter(({ after }) => after === picker.path.length).map(({ kind }) => kind));
    if (kinds.has("push") && kinds.has("pull")) return say("legend");
    return picker.chosen ? say("one-way") : "";
  }

  pathButtons() {
    const { chosen } = this.picker;
    const game = this.gameButtons();
    const always = game.filter(({ isAlways }) => isAlways);
    // Where something stands at all times there is less room.
    const back = { icon: "undo", does: () => this.back(), ...(always.length ? { name: say("back"), kind: "only" } : { label: say("back") }) };
    if (!chosen) return [...always, back, ...game.filter(({ isAlways }) => !isAlways)];
    const sure = { label: chosen.label, kind: "pri", does: () => this.confirm(chosen) };
    return [...always, back, ...(this.line.pending || this.hasSent ? [] : [sure])];
  }

  /** The button is the word to be sure, once the path has been seen to its end. */
  confirm(offer) {
    if (!offer.ask || this.picker.isComplete) return this.play(offer);
    this.picker.follow(offer.path);
    this.refresh();
  }

  /** The game's own buttons: what may come next, or else what might have come first. */
  gameButtons() {
    const { picker, seen } = this;
    if (!this.isFree) return [];
    const onTheWay = [...picker.next()].some(isButton);
    const path = onTheWay ? picker.path : [];
    /** @type {any[]} */
    const all = [...picker.next(path)].filter(isButton).map((element) => {
      const left = distinct(picker.left([...path, element]));
      const isAlways = left.some((offer) => offer.always);
      const plays = !isAlways && left.length === 1 && left[0].path.length === path.length + 1;
      const urgent = left.some((offer) => offer.urgent);
      const kind = urgent ? "spark" : picker.path.includes(element) ? "soft" : plays ? "pri" : "";
      return { label: seen.buttons[element], icon: drawn(element.slice(BUTTON.length)), kind: isAlways ? `always ${kind}` : kind, element, isAlways,
        does: () => this.touch(element, "button") };
    });
    all.sort((a, b) => Number(b.isAlways) - Number(a.isAlways));
    const [shown, rest] = [all.slice(0, MOST_BUTTONS), all.slice(MOST_BUTTONS)];
    // One primary button, the first that plays at once, and that comes last.
    const primary = shown.find(({ kind }) => kind === "pri");
    for (const each of all) if (each !== primary && each.kind === "pri") each.kind = "";
    shown.sort((a, b) => Number(a === primary) - Number(b === primary));
    if (rest.length) shown.splice(1, 0, { name: say("more"), icon: "more", kind: "only", element: "more", does: () => this.openMore(rest) });
    return shown;
  }

  /** The buttons for which there is no room. */
  openMore(buttons) {
    const rows = buttons.map(({ label, icon: name, does }) =>
      make("button", { class: "btn", onclick: () => { closePopover(); does(); } }, icon(name ?? "act"), label));
    openPopover(make("div", { class: "choices" }, ...rows), buttonOf("more"), { label: say("more") }).querySelector("button").focus({ focusVisible: false });
  }

  undoButton() {
    const { undo } = this.seen;
    return undo && !this.line.pending ? [{ label: undo.label, icon: "undo", does: () => this.send([undo.text]) }] : [];
  }

  /** What touching this would do, for somebody who does not see the board. */
  describe(element) {
    const left = distinct(this.picker.left([...this.picker.path, element]));
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
    const left = distinct(this.picker.left([...this.picker.path, element]));
    const name = this.seen.buttons[element] ?? this.board.name(element);
    if (left.every(({ path }) => path.at(-1) === element)) return left.map(({ label }) => label).join(" · ");
    return left.length > 1 ? name : `${name}: ${left[0].label}`;
  }

  /** A key for what a game has a button or a place for, such as the dome; false if there is none now. */
  pressButton(element) {
    if (!this.isFree || !this.picker.next([]).has(element)) return false;
    this.picker.drop();
    this.touch(element, "key");
    return true;
  }

  showLast() {
    announce("polite", this.seen.latest || say("no-moves"));
    this.board.layer("last").animate([{ opacity: 1 }, { opacity: 0.2 }, { opacity: 1 }], { duration: 400, iterations: 2 });
  }

  /** Where the match stands, in words. */
  tellState() {
    const { hint, seats, status, title } = this.seen;
    const people = seats.map(({ name, members, note }) => [members.filter(Boolean).join(", ") || name, note].filter(Boolean).join(", "));
    const said = [title, hint, ...status, ...people].filter(Boolean).map((text) => text.replace(/\.$/, "")).join(". ");
    announce("polite", said);
    showToast(said);
  }
}

export function winner({ outcome, seats }) {
  return seats.find(({ seat }) => outcome.winners.includes(seat))?.glyph ?? "";
}

function isAlike(one, two) {
  return JSON.stringify(one) === JSON.stringify(two);
}

/** The name of an icon, if there is one of this name. */
function drawn(name) {
  return find(`i-${name}`) ? name : null;
}

function isButton(element) {
  return element.startsWith(BUTTON);
}
