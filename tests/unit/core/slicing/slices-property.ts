import { describe, test } from 'vitest';
import type { FormatId } from '../../../../core/format/format-id.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import fc from '../../../setup/properties/property.ts';
import { payloads } from './payloads.ts';
import { cut, inOneGo, inSlices, type Outcome } from './slices.ts';

const settings = { numRuns: 200 };
const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 12 });
const formats = Object.keys(payloads) as FormatId[];

/** Compares sliced decodes with plain ones, for random payloads of each format. */
export function compareWithOneGo(): void {
  describe.each(formats)('%s in slices', (id) => {
    test('matches a plain decode for intact, truncated and damaged payloads', async () => {
      await fc.assert(
        fc.asyncProperty(payloads[id], sizes, fc.nat(), fc.nat(255), async (payload, chunkSizes, place, byte) => {
          const { setting, bytes } = await payload;
          const broken = bytes.slice();
          if (bytes.length > 0) broken[place % bytes.length] = byte;
          for (const version of [bytes, bytes.slice(0, place % (bytes.length + 1)), broken]) {
            assertSame(await inSlices(setting, cut(version, chunkSizes)), inOneGo(setting, version));
          }
        }),
        settings,
      );
    });

    test('emits every item of the root list, or those before an error', async () => {
      await fc.assert(
        fc.asyncProperty(payloads[id], sizes, fc.nat(), async (payload, chunkSizes, place) => {
          const { setting, bytes } = await payload;
          for (const version of [bytes, bytes.slice(0, place % (bytes.length + 1))]) {
            const items: unknown[] = [];
            const found = await inSlices(setting, cut(version, chunkSizes), { items: { path: [], take: (more) => void items.push(...more) } });
            const whole = inOneGo(setting, bytes);
            if (version === bytes) checkItems(found, items, whole);
            else if ('value' in whole && Array.isArray(whole.value)) assertSame(items, whole.value.slice(0, items.length));
          }
        }),
        settings,
      );
    });
  });
}

/** Checks that all items were emitted and replaced by an empty list, and that other values are unchanged. */
function checkItems(found: Outcome, items: unknown[], whole: Outcome): void {
  if ('value' in whole && Array.isArray(whole.value)) {
    assertSame(items, whole.value);
    assertSame(found, { value: [] });
  } else {
    if ('value' in whole) assertSame(items, []);
    assertSame(found, whole);
  }
}
