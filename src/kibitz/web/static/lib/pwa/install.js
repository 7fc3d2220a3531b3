// An app of its own, where the browser offers that: a button that is there only then.
import { isInstalled, keepPages } from "./offline.js";

/** @type {any} */
let offer = null;

/** Shows the button while the browser offers it; an installed app keeps what can be read without a network. */
export function offerInstall(button) {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offer = event;
    button.hidden = false;
  });
  button.addEventListener("click", () => offer?.prompt());
  addEventListener("appinstalled", () => {
    button.hidden = true;
    keepPages("reading");
  });
  if (isInstalled()) keepPages("reading");
}
