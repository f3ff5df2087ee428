import { expect, it, vi } from 'vitest';
// oxlint-disable-next-line import/default -- the bundler's query makes it
import workerUrl from '../../../devtools-extension/reading/worker/panel-worker.ts?worker&url';

interface Rules {
  createScriptURL(url: string): string;
}

it('the policy of the panel allows only the script of its worker', async () => {
  const policies = new Map<string, Rules>();
  vi.stubGlobal('trustedTypes', {
    createPolicy(name: string, rules: Rules) {
      policies.set(name, rules);
      return rules;
    },
  });
  const { trustedWorkerUrl } = await import('../../../devtools-extension/reading/worker/trusted.ts');
  vi.unstubAllGlobals();
  expect([...policies.keys()]).toEqual(['unspool-panel']);
  expect(trustedWorkerUrl()).toBe(workerUrl);
  const policy = policies.get('unspool-panel')!;
  expect(policy.createScriptURL(workerUrl)).toBe(workerUrl);
  const blob = URL.createObjectURL(new Blob(['1'], { type: 'text/javascript' }));
  for (const other of [blob, 'data:text/javascript,1', '/other.js', `${location.origin}/other.js`, `${workerUrl}#a`, 'https://a.test/x.js', '']) {
    expect(() => policy.createScriptURL(other), other).toThrow('Not the script of the panel’s worker');
  }
  URL.revokeObjectURL(blob);
});
