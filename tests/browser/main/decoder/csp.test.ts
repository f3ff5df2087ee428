import { expect, onTestFinished, test } from 'vitest';
import type { CspResult } from './csp-page.ts';

/** Runs `csp-page.ts` in a frame under a policy. */
async function runUnder(policy: string): Promise<CspResult> {
  const frame = document.createElement('iframe');
  const page = new URL('./csp-page.ts', import.meta.url);
  // Firefox does not resolve 'self' in such a frame.
  const content = policy.replace("'self'", location.origin);
  frame.srcdoc = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${content}"><script type="module" src="${page}"></script>`;
  const result = new Promise<CspResult>((resolve) => {
    const listen = ({ data }: MessageEvent): void => {
      if (data?.csp) resolve(data.csp);
    };
    addEventListener('message', listen);
    onTestFinished(() => removeEventListener('message', listen));
  });
  document.body.append(frame);
  onTestFinished(() => frame.remove());
  return await result;
}

const works = [2_000, 2_000, [1, 2, 3], 1, 'echo'];

test.each([
  ["script-src 'self'", "script-src 'self'"],
  ['Trusted Types', "script-src 'self'; require-trusted-types-for 'script'"],
  ['Trusted Types with the policy `unspool`', "script-src 'self'; require-trusted-types-for 'script'; trusted-types unspool"],
])('the decoder works without violations under a strict policy: %s', async (_, policy) => {
  const { reports, results } = await runUnder(policy);
  expect(results).toEqual(works);
  expect(reports).toEqual([]);
});

test('a page that allows only another Trusted Types policy gets an explanatory error', async (context) => {
  const { results, trustedTypes } = await runUnder("script-src 'self'; require-trusted-types-for 'script'; trusted-types other");
  context.skip(!trustedTypes, 'there are no Trusted Types');
  expect(results).toEqual([expect.stringMatching(/WorkerCrashError: the worker could not be created/)]);
});
