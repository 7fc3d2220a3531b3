// How views are shown: one after the other, each with what moves, what is told and what is heard.
import { announce } from "../../lib/announce.js";
import { TALL } from "../../lib/breakpoints.js";
import { closeSheet } from "../../lib/overlay/dialog.js";
import { isInstant, readingMs } from "../../lib/settings/pace.js";
import { buzz, play, playEvents, YOUR_TURN_MS } from "../../lib/sound/sound.js";
import { clearAmounts, showAmounts } from "../amounts.js";
import { momentsIn, sceneIn, showMoment } from "../events/moments.js";
import { hideRevealCard, showLoud } from "../events/reveal.js";
import { StageLine } from "../events/stage_line.js";
import { UpdateQueue } from "../events/update_queue.js";
import { dropCurtain, raiseCurtain } from "../handover.js";
import { clear, drawLast } from "../marks.js";
import { isAlike } from "../picker.js";
import { isLostTo } from "./outcome.js";

export class Playback {
  /** The view whose scene was played on the board as it was before. */
  played = null;
  /** The events whose roll was heard before they were shown. */
  rolled = null;

  /**
   * `onMessage` gets each message in its turn.
   * @param {import("../match_view.js").MatchView} match
   * @param {(message: any) => unknown} onMessage
   */
  constructor(match, onMessage) {
    this.match = match;
    this.updates = new UpdateQueue(match.motion, match.board, {
      onMessage,
      rolls: (events) => { this.rolled = events; play("dome"); },
      isShown: () => !match.past,
      before: (view) => this.#playScene(view),
    });
    const told = document.getElementById("stage-line");
    this.stageLine = told && new StageLine(told, () => match.page.showAgain());
  }

  receive(message) {
    this.updates.take(message);
  }

  /** What ended a scene is being seen: the board is not yet the one of the latest view. */
  get isInScene() {
    return Boolean(this.played) && this.played !== this.match.view;
  }

  async take(view) {
    const { match } = this;
    const { board, motion, page, picker } = match;
    motion.finish();
    const before = match.view;
    this.#adopt(view, before);
    if (match.past) {
      page.onArrive(view, before);
      return;
    }
    const ways = this.#draw(view, before);
    const heard = this.played === view ? sceneIn(view.events).length : 0;
    if (!view.svg) playEvents(heardIn(view, view.events.slice(heard)).filter(({ sound }) => sound !== "dome" || this.rolled !== view.events));
    const still = motion.run(board, view.events, ways);
    match.refresh();
    if (!view.curtain && !view.outcome) showLoud(view.events, board, [...picker.next()]);
    await still;
    if (match.view !== view || match.past) return;
    match.refresh();
    if (!view.svg) await this.#celebrate(view, before, heard);
    if (match.view !== view || match.past) return;
    match.forced.preview(view);
    if (isTurnOf(view) && !(before && isTurnOf(before)) && !view.outcome) this.stageLine?.recall(view);
    if (view.acting && view.acting !== before?.acting && !view.outcome) call(view);
    if (view.outcome && before && !before.outcome) announce("urgent", `${view.outcome.title}. ${view.outcome.why}`);
    page.onSettle(view, before);
  }

  /** The view is the latest: what was being chosen stays where it still can. */
  #adopt(view, before) {
    const { match } = this;
    const { forced, outgoing, picker, refusal } = match;
    // What others do in secret meanwhile does not take away what is being chosen here.
    const isQuiet = !outgoing.hasSent && view.acting && isAlike(before?.offers, view.offers);
    const isSame = before?.seq === view.seq || isQuiet;
    outgoing.takeView(isSame);
    match.view = view;
    if (!isQuiet) forced.drop();
    if (this.played !== view) this.played = null;
    if (!isQuiet) picker.reset(view.offers, isSame ? picker.path : []);
    if (!isSame) refusal.forget();
    if (match.past && view.outcome && !before.outcome) match.past = null;
  }

  /** Draws and tells it; returns the way of each piece that moves. */
  #draw(view, before) {
    const { match } = this;
    const { board, motion, page } = match;
    if (view.svg) match.isTall = TALL.matches;
    const ways = view.svg ? new Map() : motion.rekey(board, view.events);
    board.letGo();
    if (view.svg) board.show(view.svg);
    else board.merge(view.layers);
    page.onArrive(view, before);
    clear(board, "hints", "targets", "refuse");
    drawLast(board, view.last, view.last_marks);
    clearAmounts(board, view);
    this.#tell(view);
    const sentences = view.events.map(({ text }) => text);
    if (view.curtain) this.#veil(view.curtain, sentences);
    else if (raiseCurtain()) board.hits.get(board.cursor)?.focus({ focusVisible: false });
    announce("polite", sentences.map((text) => text.replace(/\.$/, "")).join(". "));
    return ways;
  }

  /** The stage line says what happened, and the next view waits until that could be read. */
  #tell(view) {
    const { stageLine } = this;
    if (!stageLine) return;
    if (this.played !== view) stageLine.tell(view);
    stageLine.offerAgain(view.recap.length > 0 && !view.curtain && !view.seats.every(({ is_mine: isMine }) => isMine));
    if (!view.short_texts.length || view.svg) return;
    const mine = new Set(view.seats.filter(({ is_mine: isMine }) => isMine).map(({ seat }) => seat));
    this.updates.hold(readingMs(view.short_texts.join(" "), view.events.every(({ seat }) => mine.has(seat))));
  }

  /** What ended a scene is seen before the next one is set. */
  async #playScene(view) {
    const events = sceneIn(view.events);
    if (!events.length || isInstant() || document.hidden || !this.match.board.svg) return;
    this.played = view;
    this.stageLine?.tell(view);
    this.match.refresh();
    await this.showScene(events);
  }

  async showScene(events) {
    const { board, motion } = this.match;
    clear(board, "hints", "targets", "refuse", "last");
    playEvents(events);
    await motion.perform(board, events);
    for (const moment of momentsIn(events)) await showMoment(board, moment);
  }

  /** The moments of a view that have not been seen yet, and the end of a match. */
  async #celebrate(view, before, seen) {
    const { board } = this.match;
    if (!this.stageLine) return;
    showAmounts(board, view);
    for (const moment of momentsIn(view.events.slice(seen))) await showMoment(board, moment);
    if (view.outcome && before && !before.outcome) {
      await showMoment(board, { effect: isLostTo(view) || !view.outcome.winners.length ? "lost" : "win", title: view.outcome.title, place: "" });
    }
  }

  /** Nothing that only one may see stays on the page. */
  #veil(curtain, sentences) {
    const { board, line } = this.match;
    closeSheet();
    hideRevealCard();
    this.stageLine?.clear();
    board.setCursor([...board.hits.keys()][0]); // Where somebody last was may be their secret.
    for (const region of ["polite", "urgent"]) announce(region, "");
    dropCurtain(curtain, sentences, (seat) => line.ask({ type: "unveil", seat }));
  }
}

/** Somebody's turn has come. */
function call({ seats, title }) {
  announce("urgent", title);
  if (seats.every(({ is_mine: isMine }) => isMine)) return;
  play("turn");
  buzz(YOUR_TURN_MS);
}

/** Events as they are heard here: the fanfare is not for whoever lost. */
function heardIn(view, events) {
  return isLostTo(view) ? events.map((event) => (event.sound === "win" ? { ...event, sound: "defeat" } : event)) : events;
}

/** Whether somebody who plays here is to act. */
function isTurnOf({ seats }) {
  return seats.some(({ is_mine: isMine, is_to_act: isToAct }) => isMine && isToAct);
}
