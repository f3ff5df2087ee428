interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptUrlPolicy;
}

/** Key of the policy that all files of the library share: a page may allow its name only once. */
const POLICY = Symbol.for('unspool.policy');

interface Scope {
  readonly trustedTypes?: PolicyFactory;
  [POLICY]?: ScriptUrlPolicy;
}

const AS_IT_IS: ScriptUrlPolicy = { createScriptURL: (url) => url };

/**
 * Calls `make`, which makes a worker with `new Worker(url)`, so that
 *
 * - a page whose CSP has `require-trusted-types-for 'script'` allows it: the URL goes through a Trusted Types policy named
 *   `unspool`, or stays a string if the page's `trusted-types` does not name the policy;
 * - the URL may be of another origin, for example a CDN's: browsers start workers only from the page's own origin, so a
 *   script in a blob imports it.
 *
 * Bundlers find a worker by the exact expression `new Worker(new URL(…, import.meta.url), …)` and replace its URL, so that
 * expression can do none of this. Instead, a temporary global `Worker` does, while the synchronous `make` runs.
 */
export function createTrusted(make: () => Worker): Worker {
  const trust = trustedTypesPolicy();
  const Native = globalThis.Worker;
  globalThis.Worker = class {
    constructor(url: string | URL, options?: WorkerOptions) {
      const plain = typeof url === 'string' || url instanceof URL;
      const own = plain && isForeign(url) ? importer(url, options) : url;
      const worker = new Native(plain ? trust.createScriptURL(String(own)) : own, options);
      // The worker's first message or error shows that its script was read.
      if (own !== url) {
        for (const type of ['message', 'error']) {
          worker.addEventListener(type, () => URL.revokeObjectURL(String(own)), { once: true });
        }
      }
      return worker;
    }
  } as typeof Worker;
  try {
    return make();
  } finally {
    globalThis.Worker = Native;
  }
}

/** The URL of a script in the form that a page with Trusted Types requires. */
export function trustScript(url: string): unknown {
  return trustedTypesPolicy().createScriptURL(url);
}

/** The policy for URLs; the identity if the page has no Trusted Types or refuses the policy. */
function trustedTypesPolicy(): ScriptUrlPolicy {
  const scope = globalThis as Scope;
  try {
    return (scope[POLICY] ??= scope.trustedTypes?.createPolicy('unspool', AS_IT_IS) ?? AS_IT_IS);
  } catch {
    return (scope[POLICY] = AS_IT_IS);
  }
}

/** True if a worker's script is of another origin than the page. Servers have no location. */
function isForeign(url: string | URL): boolean {
  const { location } = globalThis as { readonly location?: Location };
  const { protocol, origin } = URL.canParse(url, location?.href) ? new URL(url, location?.href) : ({} as Partial<URL>);
  return /^https?:$/.test(protocol!) && origin !== globalThis.origin;
}

/** The URL of a script that imports a script of another origin. */
function importer(url: string | URL, options: WorkerOptions | undefined): string {
  const script = JSON.stringify(String(url));
  const code = options?.type === 'module' ? `import ${script};` : `importScripts(${script});`;
  return URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
}
