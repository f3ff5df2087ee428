// The page of the application. Tests use its globals.
import { createDecoder } from 'unspool';
import { registerServiceWorker } from 'unspool/register';

const shares = new URLSearchParams(location.search).has('share');
const decoder = createDecoder();
/** A decoder with an unshared pool. */
const other = createDecoder();
const app = registerServiceWorker('./service-worker.js', shares ? { decoder } : {});

/** @type {string[]} */
const events = [];
for (const type of /** @type {const} */ (['installed', 'waiting', 'controlling'])) {
  app.addEventListener(type, ({ detail }) => events.push(`${type}${detail.isUpdate ? ' update' : ''}`));
}
app.addEventListener('failed', ({ detail }) => events.push(`failed: ${String(detail.error)}`));

/** Resolves when a service worker controls the page. */
const controlled = new Promise((resolve) => {
  if (navigator.serviceWorker.controller) resolve(undefined);
  navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
});

Object.assign(window, { app, decoder, other, events, controlled });
