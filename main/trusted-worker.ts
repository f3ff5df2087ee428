interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptUrlPolicy;
}

let policy: ScriptUrlPolicy | undefined;
let refused = false;

/**
 * Calls `make`, which makes a worker with `new Worker(url)`, so that a page whose CSP has
 * `require-trusted-types-for 'script'` allows it: the URL goes through a Trusted Types policy named `unspool`.
 *
 * Bundlers find a worker by the exact expression `new Worker(new URL(…, import.meta.url), …)` and put their own URL in its
 * place, so the policy cannot stand in that expression. Instead, the global `Worker` trusts the URL while `make` runs,
 * which is synchronous. Where a page's `trusted-types` does not name the policy, `make` runs as it is.
 */
export function createTrusted(make: () => Worker): Worker {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
  if (factory && !policy && !refused) {
    try {
      policy = factory.createPolicy('unspool', { createScriptURL: (url) => url });
    } catch {
      refused = true;
    }
  }
  if (!policy) return make();
  const trust = policy;
  const Native = globalThis.Worker;
  globalThis.Worker = class {
    constructor(url: string | URL, options?: WorkerOptions) {
      const plain = typeof url === 'string' || url instanceof URL;
      return new Native(plain ? trust.createScriptURL(String(url)) : url, options);
    }
  } as typeof Worker;
  try {
    return make();
  } finally {
    globalThis.Worker = Native;
  }
}
