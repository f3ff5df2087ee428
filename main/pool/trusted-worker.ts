interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptUrlPolicy;
}

/** By this name the files of the library share the policy: a page that names it lets it be made once. */
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
 *   `unspool`, or, where a page's `trusted-types` does not name the policy, stays as it is;
 * - the URL may be of another origin, as where the library comes from a CDN: browsers start workers from their page's own
 *   origin alone, so a script in a blob imports it.
 *
 * Bundlers find a worker by the exact expression `new Worker(new URL(…, import.meta.url), …)` and put their own URL in its
 * place, so none of this can stand in that expression. Instead, the global `Worker` does it while `make` runs, which is
 * synchronous.
 */
export function createTrusted(make: () => Worker): Worker {
  const trust = trustedTypesPolicy();
  const Native = globalThis.Worker;
  globalThis.Worker = class {
    constructor(url: string | URL, options?: WorkerOptions) {
      const plain = typeof url === 'string' || url instanceof URL;
      const own = plain && isForeign(url) ? importer(url, options) : url;
      const worker = new Native(plain ? trust.createScriptURL(String(own)) : own, options);
      // It has loaded once it says something.
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

/** The URL of a script as a page with Trusted Types takes it. */
export function trustScript(url: string): unknown {
  return trustedTypesPolicy().createScriptURL(url);
}

/** What the page's policy makes of URLs; without one, or where the page refuses it, they stay as they are. */
function trustedTypesPolicy(): ScriptUrlPolicy {
  const scope = globalThis as Scope;
  try {
    return (scope[POLICY] ??= scope.trustedTypes?.createPolicy('unspool', AS_IT_IS) ?? AS_IT_IS);
  } catch {
    return (scope[POLICY] = AS_IT_IS);
  }
}

/** Whether a worker's script is of another origin than the page. */
function isForeign(url: string | URL): boolean {
  const { href } = globalThis.location;
  const script = URL.canParse(url, href) ? new URL(url, href) : undefined;
  return script !== undefined && /^https?:$/.test(script.protocol) && script.origin !== globalThis.origin;
}

/** The URL of a script that runs a script of another origin. */
function importer(url: string | URL, options: WorkerOptions | undefined): string {
  const script = JSON.stringify(String(url));
  const code = options?.type === 'module' ? `import ${script};` : `importScripts(${script});`;
  return URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
}
