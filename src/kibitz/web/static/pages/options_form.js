// The fields for the rules of a game (options.html): each has a value that is written as JSON.
const SEATS = "fieldset";

/** Lets a field show a value that is written as JSON. */
export function setField(field, json) {
  if (field.matches(SEATS)) JSON.parse(json).forEach((number, i) => setField(field.querySelectorAll("select")[i], String(number)));
  else if (field.matches("select")) chooseOption(field, json);
  else field.value = shownText(JSON.parse(json));
}

function chooseOption(select, json) {
  if (![...select.options].some(({ value }) => value === json)) select.add(new Option(json, json));
  select.value = json;
}

function shownText(value) {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What a field says, as JSON. Words that are no JSON are a text. */
export function fieldJson(field) {
  if (field.matches(SEATS)) return `[${[...field.querySelectorAll("select")].map(({ value }) => value)}]`;
  const typed = field.value.trim();
  if (!typed) return "null";
  try {
    return JSON.stringify(JSON.parse(typed));
  } catch {
    return JSON.stringify(typed);
  }
}

/** Options that go together are chosen by one button; `does()` is called when they were. */
export function onPreset(form, fields, does = () => {}) {
  for (const preset of form.querySelectorAll("[data-options]")) preset.addEventListener("click", () => {
    const chosen = JSON.parse(preset.dataset.options);
    for (const field of fields) {
      if (field.dataset.option in chosen) setField(field, chosen[field.dataset.option]);
    }
    does();
  });
}
