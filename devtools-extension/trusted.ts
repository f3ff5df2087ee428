interface TrustedPolicy {
  createScriptURL(url: string): unknown;
  createHTML(html: string): unknown;
}
interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string; createHTML(html: string): string }): TrustedPolicy;
}

/** The panel's one policy, for pages that require Trusted Types. */
const policy = (globalThis as { trustedTypes?: TrustedTypesFactory }).trustedTypes?.createPolicy('unspool-panel', {
  createScriptURL(url) {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError(`Not the panel’s worker: ${url}`);
    return url;
  },
  createHTML: (html) => html,
});

/** The URL of a script of the panel's own, as its worker is: any other is refused. */
export function trustedScriptUrl(url: string): string {
  return (policy?.createScriptURL(url) ?? url) as string;
}

/** HTML for a document in which nothing runs: one that is only parsed, or that is in a sandbox. */
export function trustedHtml(html: string): string {
  return (policy?.createHTML(html) ?? html) as string;
}
