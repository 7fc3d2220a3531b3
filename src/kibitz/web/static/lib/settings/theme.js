// The theme somebody chose, put in place before anything is painted. "system" is no class at all.
// Bundled it is a plain script: a module would come too late. Any radio button named `theme` chooses.
// Every page has it, so this is where what is to be forgotten is forgotten.
import { forgetIfTold } from "../forget.js";

(() => {
  const root = document.documentElement;

  function chosenTheme() {
    try {
      return localStorage.getItem("theme") ?? "system";
    } catch {
      return "system";
    }
  }

  function wear(theme) {
    root.classList.toggle("dark", theme === "dark");
    root.classList.toggle("light", theme === "light");
    for (const meta of document.querySelectorAll("meta[name=theme-color]")) {
      meta.media = theme === "system" ? `(prefers-color-scheme: ${meta.dataset.theme})` : meta.dataset.theme === theme ? "all" : "not all";
    }
  }

  forgetIfTold(root.dataset.root);
  wear(chosenTheme());
  addEventListener("storage", () => wear(chosenTheme()));
  document.addEventListener("DOMContentLoaded", () => {
    for (const radio of document.querySelectorAll("input[name=theme]")) {
      radio.checked = radio.value === chosenTheme();
    }
  });
  document.addEventListener("change", (/** @type {any} */ { target }) => {
    if (target.name !== "theme") return;
    try {
      localStorage.setItem("theme", target.value);
    } catch {
      // Private windows may refuse; the choice then lasts as long as the page.
    }
    wear(target.value);
  });
})();
