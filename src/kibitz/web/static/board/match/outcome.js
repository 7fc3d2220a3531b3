// Who won, and whether that is somebody who plays here.

/** The sign of the first who won. */
export function winner({ outcome, seats }) {
  return seats.find(({ seat }) => outcome.winners.includes(seat))?.glyph ?? "";
}

/** Whether the only one who plays here has lost. */
export function isLostTo({ outcome, seats }) {
  const mine = seats.filter(({ is_mine: isMine }) => isMine);
  return Boolean(outcome) && mine.length === 1 && outcome.winners.length > 0 && !outcome.winners.includes(mine[0].seat);
}
