// An answer of the server as data.

/** Null where it cannot be had. */
export async function fetchJson(address) {
  const answer = await fetch(address).catch(() => null);
  return answer?.ok ? answer.json() : null;
}
