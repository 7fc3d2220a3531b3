// The worker of all our pages (lib/pwa/worker.js), for those that need it.
import { ROOT } from "../paths.js";

/** The worker, once it runs. */
export async function registerWorker() {
  const registration = await navigator.serviceWorker.register(`${ROOT}/worker.js`);
  const starting = registration.installing ?? registration.waiting;
  if (!registration.active) await new Promise((done) => starting.addEventListener("statechange", () => registration.active && done(null)));
  return registration;
}
