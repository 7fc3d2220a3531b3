// Where the server is on its site: "" is at the root.
export const ROOT = document.documentElement.dataset.root ?? "";
// Where it answers programs, this one among them.
export const API = `${ROOT}/api/v1`;
