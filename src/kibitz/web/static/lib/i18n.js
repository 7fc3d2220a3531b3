// The page's own words, in the reader's language: the template wrote them into the page.
const words = JSON.parse(document.getElementById("words").textContent);

export function say(id, values = {}) {
  return words[id].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}
