// What somebody chose, kept by the browser. Private windows may refuse to keep anything: a choice
// then lasts as long as the page.
const unkept = new Map();

export function loadItem(name, otherwise) {
  if (unkept.has(name)) return unkept.get(name);
  try {
    return localStorage.getItem(name) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function storeItem(name, value) {
  try {
    localStorage.setItem(name, value);
    unkept.delete(name);
  } catch {
    unkept.set(name, value);
  }
}
