import { afterEach, describe, expect, test, vi } from 'vitest';
import { allows, mayCompile } from '../../../../core/kernels/policy.ts';

describe('a Content Security Policy', () => {
  test.each([
    '',
    'upgrade-insecure-requests',
    "img-src 'self'; style-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "script-src 'unsafe-eval'",
    "default-src 'self' 'wasm-unsafe-eval'",
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
    "Script-Src 'self' 'WASM-unsafe-eval'",
    "script-src 'wasm-unsafe-eval', img-src 'none'",
    "script-src 'wasm-unsafe-eval'; script-src 'self'",
    "script-src-elem 'self'",
  ])('of "%s" lets WebAssembly be compiled', (policy) => expect(allows(policy)).toBe(true));

  test.each([
    "script-src 'self'",
    "default-src 'self'",
    'script-src *',
    "default-src 'self' 'wasm-unsafe-eval'; script-src 'self'",
    'script-src',
    "script-src 'wasm-unsafe-eval', script-src 'self'",
    "script-src 'self'; script-src 'wasm-unsafe-eval'",
    "img-src 'none';\tdefault-src https:",
  ])('of "%s" does not', (policy) => expect(allows(policy)).toBe(false));
});

describe('a worker', () => {
  afterEach(() => vi.unstubAllGlobals());

  /** In a worker whose script came from a URL, with headers. */
  function from(href: string, headers: Record<string, string>): ReturnType<typeof vi.fn> {
    const fetch = vi.fn(() => Promise.resolve(new Response('', { headers })));
    vi.stubGlobal('location', new URL(href));
    vi.stubGlobal('fetch', fetch);
    return fetch;
  }

  test('compiles where its own script came without a policy', async () => {
    const fetch = from('https://page.test/worker.js', {});
    expect(await mayCompile()).toBe(true);
    expect(fetch).toHaveBeenCalledWith('https://page.test/worker.js', { cache: 'force-cache' });
  });

  test('does not compile where its own script came with a policy against it', async () => {
    from('https://page.test/worker.js', { 'content-security-policy': "script-src 'self'" });
    expect(await mayCompile()).toBe(false);
  });

  test('does not compile where that would only be reported', async () => {
    from('https://page.test/worker.js', { 'content-security-policy-report-only': "script-src 'self'" });
    expect(await mayCompile()).toBe(false);
  });

  test('does not look for the policy of a blob, and does not compile', async () => {
    const fetch = from('blob:https://page.test/5a6b', {});
    expect(await mayCompile()).toBe(false);
    expect(fetch).not.toHaveBeenCalled();
  });

  test('does not compile where its script cannot be looked at', async () => {
    const fetch = from('https://page.test/worker.js', {});
    fetch.mockRejectedValue(new TypeError('refused'));
    expect(await mayCompile()).toBe(false);
  });

  test('does not compile where there is no WebAssembly', async () => {
    vi.stubGlobal('WebAssembly', undefined);
    expect(await mayCompile()).toBe(false);
  });
});
