// The fields for the rules of a game (options.html): each has a value that is written as JSON.

/** What a field shows for a value written as JSON. */
export function fieldText(json) {
  return json === "null" ? "" : json;
}

/** What a field says, as JSON. Words that are no JSON are a text. */
export function fieldJson({ value }) {
  const typed = value.trim();
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
      if (field.dataset.option in chosen) field.value = fieldText(chosen[field.dataset.option]);
    }
    does();
  });
}
