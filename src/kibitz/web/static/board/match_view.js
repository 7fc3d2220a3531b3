// A match on a page: it shows the views it is given, lets somebody choose among what is offered, and
// sends back actions. It knows no game and no rules, and not who is around the match either.
import { DOCK, TALL } from "../lib/breakpoints.js";
import { say } from "../lib/i18n.js";
import { showToast } from "../lib/overlay/toast.js";
import { playEvents } from "../lib/sound/sound.js";
import { Board } from "./board.js";
import "./coordinates.js";
import { sceneIn } from "./events/moments.js";
import { Motion } from "./events/motion.js";
import { hideRevealCard } from "./events/reveal.js";
import { clear, drawLast, drawPath } from "./marks.js";
import { ForcedMove } from "./match/forced_move.js";
import { Gestures } from "./match/gestures.js";
import { Narration } from "./match/narration.js";
import { Outgoing } from "./match/outgoing.js";
import { Playback } from "./match/playback.js";
import { PromptBar } from "./match/prompt_bar.js";
import { RefusalNotice } from "./match/refusal_notice.js";
import { Picker } from "./picker.js";

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
  /** Whether the page keeps back what was chosen, to send it itself. */
  holds(choice) { return false; },
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

/** Its parts are given the match, and reach each other by its fields. */
export class MatchView {
  board = new Board(document.getElementById("stage"));
  picker = new Picker();
  motion = new Motion();
  view = null;
  /** Whether the drawing is the one for an upright phone. */
  isTall = false;
  /** A position of the past that is looked at. */
  past = null;
  isClosed = false;

  /** `line` has `act`, `ask` and `pending`; what it gets goes to `receive`. */
  constructor(line, page = {}) {
    this.line = line;
    this.page = { ...PAGE, ...page };
    this.outgoing = new Outgoing(this);
    this.refusal = new RefusalNotice(this);
    this.forced = new ForcedMove(this);
    this.narration = new Narration(this);
    this.gestures = new Gestures(this);
    this.bar = new PromptBar(this);
    this.playback = new Playback(this, (message) => this.#showMessage(message));
    this.gestures.listen();
    DOCK.addEventListener("change", () => this.view && this.refusal.dismiss());
    TALL.addEventListener("change", () => this.#askForDrawing());
  }

  receive(message) {
    this.playback.receive(message);
  }

  #showMessage(message) {
    this.page.onMessage(message);
    if (message.type === "view") return this.playback.take(message);
    if (!this.view) return null;
    if (message.type === "refused") this.refusal.show(message);
    else if (message.type === "stale") showToast(say("stale"));
    if (["refused", "stale"].includes(message.type)) this.outgoing.fail();
    this.refresh();
    return null;
  }

  #askForDrawing() {
    this.line.ask({ type: "look", is_tall: TALL.matches });
  }

  /** Whether something may be chosen now. */
  get isFree() {
    return Boolean(this.view?.acting) && !this.line.pending && !this.past && !this.isClosed && !this.playback.isInScene;
  }

  /** Whoever acts here, or would. */
  get seat() {
    return this.view.acting ?? this.view.seats.find(({ is_mine: isMine }) => isMine)?.seat ?? null;
  }

  /** Draws what can be chosen while nothing moves, and says it. */
  refresh() {
    const { board, line, motion, picker } = this;
    if (!board.svg) return;
    const isFree = this.isFree && !motion.isRunning;
    const next = isFree ? picker.next() : new Set();
    const held = new Set(isFree ? [...board.hits.keys()].filter((element) => board.piece(element) && picker.drops(element).size) : []);
    board.light(next, held, (element) => this.narration.describe(element));
    if (isFree || (line.pending && !this.past)) drawPath(board, picker, picker.isComplete ? picker.chosenOffer : null);
    else clear(board, "hints", "targets");
    this.bar.show();
    this.page.onRefresh();
  }

  /** Shows an earlier position, to look at only; `past` has `svg`, `events`, `last` and `last_marks`. The one that comes next moves. */
  async showPast(past, isNext) {
    const { board, motion } = this;
    motion.finish();
    this.refusal.forget();
    hideRevealCard();
    this.picker.drop();
    this.past = past;
    board.letGo();
    const scene = isNext ? sceneIn(past.events) : [];
    if (scene.length) await this.playback.showScene(scene);
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
    this.#askForDrawing();
  }

  /** Nothing can be done any more, whatever was offered last. */
  close() {
    this.isClosed = true;
    this.picker.reset([], []);
    this.refusal.dismiss();
  }
}
