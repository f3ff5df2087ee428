interface ScriptPolicy {
  createScriptURL(url: string): unknown;
}
interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptPolicy;
}

/** The workers of this page: the only scripts that it loads by URL. */
const policy = (globalThis as { trustedTypes?: TrustedTypesFactory }).trustedTypes?.createPolicy('unspool-demo', {
  createScriptURL(url) {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`Not a worker of this page: ${url}`);
    return url;
  },
});

/** Starts a module worker by the URL that the bundler gave its script, through the page's Trusted Types policy. */
export function startWorker(url: string, name: string): Worker {
  return new Worker((policy?.createScriptURL(url) ?? url) as string, { type: 'module', name });
}
