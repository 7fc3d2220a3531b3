// What a night comes to so far, where the unit is measured in litres (11.4), and who has something else.
import { say } from "../lib/i18n.js";

/** What a team has done so far, and what that is for each of its players; nothing where nothing is measured. */
export function litresText({ figures: { litres, sizes } }, team) {
  if (!(team in litres)) return "";
  const [all, each] = [litres[team], litres[team] / sizes[team]].map(writeLitres);
  return sizes[team] > 1 ? say("book-litres-each", { litres: all, each }) : say("book-litres-so-far", { litres: all });
}

/** What that is for each player, for a screen with little room. */
export function litresEach({ litres, sizes }, team) {
  if (!(team in litres)) return "";
  const each = writeLitres(litres[team] / sizes[team]);
  return sizes[team] > 1 ? say("party-litres", { litres: each }) : each;
}

function writeLitres(litres) {
  return say("book-litres", { litres: new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 2 }).format(litres) });
}

/** The players of a team, and beside whoever has something else that they do. */
export function playersShown(book, team) {
  const { players = [], abstainers = [] } = book.info.teams[team] ?? {};
  if (!abstainers.length) return book.teams.players(team);
  return players.map((name) => (abstainers.includes(name) ? `${name} (${say("book-something-else")})` : name)).join(", ");
}
