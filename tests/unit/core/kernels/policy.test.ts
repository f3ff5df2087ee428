import { afterEach, describe, expect, test, vi } from 'vitest';
import { allows, mayCompile } from '../../../../core/kernels/policy.ts';

describe('Content Security Policy', () => {
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
  ])('allows WebAssembly with "%s"', (policy) => expect(allows(policy)).toBe(true));

  test.each([
    "script-src 'self'",
    "default-src 'self'",
    'script-src *',
    "default-src 'self' 'wasm-unsafe-eval'; script-src 'self'",
    'script-src',
    "script-src 'wasm-unsafe-eval', script-src 'self'",
    "script-src 'self'; script-src 'wasm-unsafe-eval'",
    "img-src 'none';\tdefault-src https:",
  ])('forbids WebAssembly with "%s"', (policy) => expect(allows(policy)).toBe(false));
});

describe('worker', () => {
  afterEach(() => vi.unstubAllGlobals());

  /** Simulates a worker whose script came from a URL with these headers. */
  function from(href: string, headers: Record<string, string>): ReturnType<typeof vi.fn> {
    const fetch = vi.fn(() => Promise.resolve(new Response('', { headers })));
    vi.stubGlobal('location', new URL(href));
    vi.stubGlobal('fetch', fetch);
    return fetch;
  }

  test('compiles kernels if its script came without a policy', async () => {
    const fetch = from('https://page.test/worker.js', {});
    expect(await mayCompile()).toBe(true);
    expect(fetch).toHaveBeenCalledWith('https://page.test/worker.js', { cache: 'force-cache' });
  });

  test("leaves kernels uncompiled if its script's policy forbids it", async () => {
    from('https://page.test/worker.js', { 'content-security-policy': "script-src 'self'" });
    expect(await mayCompile()).toBe(false);
  });

  test('leaves kernels uncompiled if that would be reported', async () => {
    from('https://page.test/worker.js', { 'content-security-policy-report-only': "script-src 'self'" });
    expect(await mayCompile()).toBe(false);
  });

  test("neither fetches a blob's policy nor compiles kernels", async () => {
    const fetch = from('blob:https://page.test/5a6b', {});
    expect(await mayCompile()).toBe(false);
    expect(fetch).not.toHaveBeenCalled();
  });

  test('leaves kernels uncompiled if its script cannot be fetched', async () => {
    const fetch = from('https://page.test/worker.js', {});
    fetch.mockRejectedValue(new TypeError('refused'));
    expect(await mayCompile()).toBe(false);
  });

  test('leaves kernels uncompiled without WebAssembly', async () => {
    vi.stubGlobal('WebAssembly', undefined);
    expect(await mayCompile()).toBe(false);
  });
});
