// The back button: it closes what is open, then leads to the first tab, and only then leaves the book.
const sheet = document.getElementById("sheet");
/** Whether the latest step is one that a sheet has made; after its end it waits for the next one. */
let isSheets = false;

/** `tabs` has `first`, `now` and `turnTo(tab)`. */
export function followSteps(tabs) {
  history.replaceState({ tab: tabs.now() }, "");
  new MutationObserver(() => {
    if (!sheet.open || isSheets) return;
    history.pushState({ ...history.state, isSheets: true }, "");
    isSheets = true;
  }).observe(sheet, { attributeFilter: ["open"] });
  addEventListener("popstate", ({ state }) => {
    isSheets = Boolean(state?.isSheets);
    if (sheet.open && !isSheets) sheet.close();
    else if (isSheets || !state?.tab || state.tab === tabs.now()) history.back();
    else tabs.turnTo(state.tab);
  });
}

/** Another tab is one step from the first one, however often it changes. */
export function stepTo(tab, first) {
  const state = { tab };
  if (history.state?.tab === first && !isSheets && tab !== first && !history.state.isSecond) history.pushState({ ...state, isSecond: true }, "", `#${tab}`);
  else history.replaceState({ ...history.state, ...state, isSheets: false }, "", `#${tab}`);
  isSheets = false;
}
