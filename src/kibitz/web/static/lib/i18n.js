// The page's own words, in the reader's language: the template wrote them into the page, with the grammar of its names.
const words = JSON.parse(document.getElementById("words").textContent);
const grammar = JSON.parse(document.getElementById("grammar").textContent);
const RIGHT_TO_LEFT = new RegExp(grammar.right_to_left, "u");

/** The words of this id. `{team:de}` asks for another form of a name, `{team:has|have}` for what goes with its number. */
export function say(id, values = {}) {
  return words[id].replace(/\{(\w+)(?::([^}]*))?\}/g, (_, name, form) => formOf(isolate(String(values[name])), form));
}

/** A name as it can stand beside others: what is written from right to left turns nothing around it. */
export function isolate(name) {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/** By the rules of the language, as `kibitz/i18n/grammar.py` has them: the first that is found makes the form. */
function formOf(name, form) {
  if (!form) return name;
  if (form.includes("|")) return form.split("|")[formOf(name, "number") === "many" ? 1 : 0];
  for (const [pattern, text] of grammar.rules[form.toLowerCase()] ?? []) {
    const found = new RegExp(pattern, "iu");
    if (!found.test(name)) continue;
    const made = name.replace(found, (match) => text.replace("{}", () => match));
    return form[0] === form[0].toLowerCase() ? made : made[0].toUpperCase() + made.slice(1);
  }
  return name;
}
