// What a table waits for, as the one thing that is to be said loudest.
import { isolate, say } from "../../lib/i18n.js";

const OWING = "!";
const [VOTING, RETURNING] = ["V", "C"];

/**
 * What holds up play comes first: there is still time for the sentence then.
 * Nothing, or `kind`, the seats it is about, what is said, and `left`: what counts down, if anything.
 */
export function alertOf(view, book, nameOf) {
  const { figures, outcome, seats } = view;
  if (outcome) return { kind: "won", seats: outcome.winners, title: outcome.title, text: outcome.why, motto: outcome.motto };
  if (!figures || book?.depth === "ledger") return null;
  if (figures.wanted) return reset(figures.wanted);
  return answers(figures, seats, nameOf) ?? hembo(figures, seats, nameOf);
}

function reset(number) {
  return { kind: "wait", seats: [], title: say("party-reset", { number }), text: say("party-reset-hint", { number }) };
}

function hembo({ marks }, seats, nameOf) {
  const owing = seatsThat(seats, ({ seat }) => marks[seat] === OWING);
  if (!owing.length) return null;
  const teams = joinNames(owing.map(nameOf));
  return { kind: "urgent", seats: owing, title: say("party-hembo", { teams }), text: say("party-hembo-hint"), left: "dieDelay" };
}

/** The votes or the pieces that are still missing. */
function answers({ phase, round, turn }, seats, nameOf) {
  if (phase !== VOTING && phase !== RETURNING) return null;
  const missing = seatsThat(seats, (seat) => seat.is_to_act);
  return {
    kind: "wait", seats: missing, left: "answer",
    title: say(phase === VOTING ? "party-vote" : "party-return", { team: nameOf(turn), round: round + 1 }),
    text: say(phase === VOTING ? "party-vote-hint" : "party-return-hint", { teams: joinNames(missing.map(nameOf)) }),
  };
}

function seatsThat(seats, isOne) {
  return seats.filter(isOne).map(({ seat }) => seat);
}

/** This, that and the other. */
function joinNames(names) {
  return new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" }).format(names.map(isolate));
}
