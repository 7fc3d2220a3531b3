// The address of a table's socket.
import { ROOT } from "../lib/paths.js";

export function liveAddress(id, query) {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${ROOT}/t/${id}/live?${query}`;
}
