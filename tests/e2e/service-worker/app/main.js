// The page of the application. The test works with what it puts on `window`.
import { createDecoder } from 'unspool';
import { registerServiceWorker } from 'unspool/register';

const shares = new URLSearchParams(location.search).has('share');
const decoder = createDecoder();
/** One whose pool is not shared. */
const other = createDecoder();
const app = registerServiceWorker('./service-worker.js', shares ? { decoder } : {});

/** @type {string[]} */
const events = [];
for (const type of /** @type {const} */ (['installed', 'waiting', 'controlling'])) {
  app.addEventListener(type, ({ detail }) => events.push(`${type}${detail.isUpdate ? ' update' : ''}`));
}
app.addEventListener('failed', ({ detail }) => events.push(`failed: ${String(detail.error)}`));

/** Resolves when the page has a service worker. */
const controlled = new Promise((resolve) => {
  if (navigator.serviceWorker.controller) resolve(undefined);
  navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
});

Object.assign(window, { app, decoder, other, events, controlled });
