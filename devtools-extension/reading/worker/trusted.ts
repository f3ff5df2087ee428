// oxlint-disable-next-line import/default -- the bundler's query makes it
import workerUrl from './panel-worker.ts?worker&url';

interface TrustedPolicy {
  createScriptURL(url: string): unknown;
}
interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): TrustedPolicy;
}

/** The panel's Trusted Types policy, required by the extension and possibly by an embedding page. */
const policy = (globalThis as { trustedTypes?: TrustedTypesFactory }).trustedTypes?.createPolicy('unspool-panel', {
  createScriptURL(url) {
    if (url !== workerUrl) throw new TypeError(`Not the script of the panel’s worker: ${url}`);
    return url;
  },
});

/** URL of the panel's worker script, the only one loaded by URL. */
export function trustedWorkerUrl(): string {
  return (policy?.createScriptURL(workerUrl) ?? workerUrl) as string;
}
