// A puzzle: the server knows what solves it, and says so once somebody has found it or given up.
// Without a network an installed app knows the puzzles of the days to come by itself.
import { API, ROOT } from "../lib/paths.js";
import { dateOf, loadRecord, storeRecord, streakLength } from "./puzzle_record.js";

const KEPT_PATH = `${ROOT}/puzzles/today/steps`;
/** First the piece, then the place. */
const HINT_STEPS = 2;

/** The puzzle of a page; an old page of the day's puzzle takes today's from what is kept. */
export async function latestCourse(course) {
  const now = dateOf(Date.now());
  if (!course.puzzle?.day || course.puzzle.day === now) return course;
  return (await keptDays())?.[now] ?? course;
}

export class Puzzle {
  /** The places of the latest hint, in order, and how many hints there were. */
  path = [];
  hints = 0;
  /** What is told once it is over: the solution, how it goes on, why, and sentences. */
  explanation = null;
  rating = null;
  streak = 0;

  constructor({ game, steps: [step], puzzle }) {
    this.game = game;
    this.id = step.id;
    this.day = puzzle.day;
    this.next = puzzle.next;
    this.address = `${API}/puzzles/${game}/${step.id}`;
  }

  /** Whether these actions solve it; none: it is given up. Null where nobody can tell. */
  async check(actions) {
    const verdict = await this.ask("answers", { actions }) ?? await this.keptVerdict(actions);
    if (!verdict) return null;
    this.explanation = verdict.explanation ?? null;
    this.note(verdict);
    return verdict.is_right;
  }

  /** The next hint: the first place to choose, then all of them. */
  async hint() {
    this.hints = Math.min(this.hints + 1, HINT_STEPS);
    const found = await this.ask("hints", { step: this.hints }) ?? await this.keptHint();
    if (!found) return;
    this.path = found.path;
    if (found.verdict) this.note(found.verdict);
  }

  /** The place that comes next on the way of the hint, after those that were touched. */
  nextPlaces(touched) {
    const isOnWay = touched.every((place, i) => place === this.path[i]);
    return [this.path[isOnWay ? touched.length : 0]].filter(Boolean);
  }

  get hasMoreHints() {
    return this.hints < HINT_STEPS;
  }

  async ask(what, asked) {
    const record = loadRecord();
    const isFirst = !(this.id in (record.tried[this.game] ?? {}));
    const { mu, sigma, matches } = record.ratings[this.game] ?? {};
    const body = JSON.stringify(isFirst ? { ...asked, rating: { mu, sigma, matches } } : asked);
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(`${this.address}/${what}`, { method: "POST", headers, body }).catch(() => null);
    return answer?.ok ? answer.json() : null;
  }

  /** Keeps on this device what a verdict says. */
  note({ is_right: isRight, rating, streak }) {
    const record = loadRecord();
    const tried = record.tried[this.game] ??= {};
    tried[this.id] = isRight || Boolean(tried[this.id]);
    if (rating) {
      record.ratings[this.game] = rating;
      this.rating = rating;
    }
    const now = dateOf(Date.now());
    if (isRight && this.day === now && !record.days.includes(now)) record.days.push(now);
    storeRecord(record);
    this.streak = streak ?? (this.day ? streakLength(record.days) : 0);
  }

  // Without a network

  /** What is kept of this puzzle, if it is one of the days to come. */
  async findKept() {
    return Object.values(await keptDays() ?? {}).find(({ steps: [step] }) => step.id === this.id);
  }

  async keptVerdict(actions) {
    const kept = await this.findKept();
    if (!kept) return null;
    const isRight = actions.length === 1 && actions[0] === kept.explanation.solution;
    return { is_right: isRight, explanation: isRight || !actions.length ? kept.explanation : null };
  }

  async keptHint() {
    const kept = await this.findKept();
    return kept && { path: this.hints < HINT_STEPS ? kept.path.slice(0, 1) : kept.path };
  }

  /** All that a board shows on the way of the solution, as a tutorial of one step. */
  async keptViews() {
    const kept = await this.findKept();
    return kept ? [kept.views] : null;
  }
}

async function keptDays() {
  const kept = window.caches && await caches.match(KEPT_PATH, { ignoreSearch: true, ignoreVary: true });
  return kept ? kept.json() : null;
}
