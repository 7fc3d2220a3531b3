// How the matches against somebody went, as far as this browser has seen them.
import { loadItem, storeItem } from "../lib/storage.js";

const KEY = "series";
/** So many of the latest matches are known, so that none is counted twice. */
const MAX_MATCHES = 40;

/** Counts a finished match once; returns the wins and losses against the same opponent, or null where there is no single one. */
export function countResult(table, game, { outcome, seats }) {
  const mine = seats.filter(({ is_mine: isMine }) => isMine);
  if (mine.length !== 1 || !outcome.opponent) return null;
  const series = read();
  const key = `${game} ${outcome.opponent}`;
  const { won = 0, lost = 0 } = series.counts[key] ?? {};
  const isNew = !series.known.includes(table) && outcome.winners.length > 0;
  const isWon = outcome.winners.includes(mine[0].seat);
  const counted = isNew ? { won: won + Number(isWon), lost: lost + Number(!isWon) } : { won, lost };
  if (isNew) storeItem(KEY, JSON.stringify({ counts: { ...series.counts, [key]: counted }, known: [...series.known, table].slice(-MAX_MATCHES) }));
  return counted;
}

function read() {
  try {
    const { counts = {}, known = [] } = JSON.parse(loadItem(KEY, "{}"));
    return { counts, known };
  } catch {
    return { counts: {}, known: [] };
  }
}
