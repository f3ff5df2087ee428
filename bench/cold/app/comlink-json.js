import { wrap } from 'comlink';
import { visit } from './visit.js';

/** @type {import('comlink').Remote<{ load(url: string): Promise<any> }> | undefined} */
let remote;

void visit(async (url) => {
  remote ??= wrap(new Worker(new URL('./comlink-json-worker.js', import.meta.url), { type: 'module' }));
  return await remote.load(new URL(url, location.href).href);
});
