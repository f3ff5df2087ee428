// oxlint-disable-next-line import/default -- the bundler's query makes it
import workerUrl from './panel-worker.ts?worker&url';

interface TrustedPolicy {
  createScriptURL(url: string): unknown;
  createHTML(html: string): unknown;
}
interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string; createHTML(html: string): string }): TrustedPolicy;
}

/** The panel's one policy. The extension requires Trusted Types, as the page may that the panel is mounted in. */
const policy = (globalThis as { trustedTypes?: TrustedTypesFactory }).trustedTypes?.createPolicy('unspool-panel', {
  createScriptURL(url) {
    if (url !== workerUrl) throw new TypeError(`Not the script of the panel’s worker: ${url}`);
    return url;
  },
  createHTML: (html) => html,
});

/** The URL that the bundler gave the script of the panel's worker, the only script that the panel loads by its URL. */
export function trustedWorkerUrl(): string {
  return (policy?.createScriptURL(workerUrl) ?? workerUrl) as string;
}

/** HTML for a document in which nothing runs: one that is only parsed, or that is in a sandbox. */
export function trustedHtml(html: string): string {
  return (policy?.createHTML(html) ?? html) as string;
}
