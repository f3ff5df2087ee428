/** Keywords that allow compiling WebAssembly in `script-src` or, without it, `default-src`. */
const KEYWORDS = ["'wasm-unsafe-eval'", "'unsafe-eval'"];
const HEADERS = ['content-security-policy', 'content-security-policy-report-only'];

/**
 * True if this worker may compile WebAssembly. That depends on the Content Security Policy of the worker's own script.
 * A forbidden attempt would be reported, so this reads the policy from the cached response of the script. False if the
 * policy is unknown, as in a worker from a blob, which inherits the policy of the page. Never rejects.
 */
export async function mayCompile(): Promise<boolean> {
  if (typeof WebAssembly === 'undefined') return false;
  // Not a browser.
  if (typeof location === 'undefined') return true;
  if (!location.protocol.startsWith('http')) return false;
  try {
    const { headers, body } = await fetch(location.href, { cache: 'force-cache' });
    body?.cancel().catch(() => {});
    return HEADERS.every((name) => allows(headers.get(name) ?? ''));
  } catch {
    return false;
  }
}

/** True if every policy of a header allows it (CSP Level 3, section 4.5.2). */
export function allows(header: string): boolean {
  return header.split(',').every((policy) => {
    const directives = new Map<string, string[]>();
    for (const directive of policy.toLowerCase().split(';')) {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      // The first directive of a name applies.
      if (!directives.has(name)) directives.set(name, sources);
    }
    const sources = directives.get('script-src') ?? directives.get('default-src');
    return sources === undefined || sources.some((source) => KEYWORDS.includes(source));
  });
}
