import { trustedScriptUrl } from '../trusted.ts';

/** Starts a module worker by the URL that the bundler gave its script, through the page's Trusted Types policy. */
export function startWorker(url: string, name: string): Worker {
  return new Worker(trustedScriptUrl(url), { type: 'module', name });
}
