// A view has the latest lines of a long log; a page asks for the others by itself.
import { API } from "../lib/paths.js";

/** The lines before a view's first one, as they come; nothing where they cannot be had. */
export async function* earlierLines(id, until) {
  for (let since = 0; since < until;) {
    const answer = await fetch(`${API}/tables/${id}/log?since=${since}`).catch(() => null);
    if (!answer?.ok) return;
    const { log } = await answer.json();
    if (!log.length) return;
    yield log.slice(0, until - since);
    since += log.length;
  }
}

/** Lines that stand for those that have not come yet. */
export function missingLines(from, until) {
  return Array.from({ length: Math.max(0, until - from) }, (_, i) => ({ n: from + i + 1, actor: "", text: "", code: "" }));
}
