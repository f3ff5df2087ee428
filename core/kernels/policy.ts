/** What lets WebAssembly be compiled, in `script-src` or, where that is not there, `default-src`. */
const KEYWORDS = ["'wasm-unsafe-eval'", "'unsafe-eval'"];
const HEADERS = ['content-security-policy', 'content-security-policy-report-only'];

/**
 * Whether this worker may compile WebAssembly. The Content Security Policy that came with its own script decides; to try it
 * would be reported, so its response is looked at, which the browser has kept. False where that cannot be known, as in a
 * worker from a blob, which is under the policy of the page. Never rejects.
 */
export async function mayCompile(): Promise<boolean> {
  if (typeof WebAssembly === 'undefined') return false;
  // No browser.
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

/** Whether every policy of a header allows it (CSP Level 3, section 4.5.2). */
export function allows(header: string): boolean {
  return header.split(',').every((policy) => {
    const directives = new Map<string, string[]>();
    for (const directive of policy.toLowerCase().split(';')) {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      // The first of a name counts.
      if (!directives.has(name)) directives.set(name, sources);
    }
    const sources = directives.get('script-src') ?? directives.get('default-src');
    return sources === undefined || sources.some((source) => KEYWORDS.includes(source));
  });
}
