/** Which limits hold. */
import { describe, expect, test } from 'vitest';
import { createDecoder } from '../../main/index.ts';
import { DEFAULT_LIMITS, resolveLimits } from '../../worker/limits.ts';

const deep = new TextEncoder().encode(`${'['.repeat(1_001)}${']'.repeat(1_001)}`);
/** As code without exact optional properties may give it. */
const missing = { depth: undefined } as object;

describe('a limit that is given as undefined', () => {
  test('is the default', () => {
    expect(resolveLimits(missing)).toEqual(DEFAULT_LIMITS);
    expect(resolveLimits({ ...missing, values: 5 })).toEqual({ ...DEFAULT_LIMITS, values: 5 });
  });

  test("of a call is the decoder's", async () => {
    using strict = createDecoder({ limits: { depth: 3 } });
    await expect(strict.decode(new TextEncoder().encode('[[[[]]]]'), { limits: missing })).rejects.toMatchObject({ limit: 'depth' });
    using usual = createDecoder({ limits: missing });
    await expect(usual.decode(deep)).rejects.toMatchObject({ limit: 'depth' });
  });
});
