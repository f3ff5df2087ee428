import { createDecoder } from 'unspool';
// From the guide.
import './register.js';

globalThis.decoder = createDecoder();
const { serviceWorker } = navigator;
globalThis.controlled = new Promise((resolve) => {
  if (serviceWorker.controller) resolve(undefined);
  serviceWorker.addEventListener('controllerchange', () => resolve(undefined));
});
