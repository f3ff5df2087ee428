import { describe, test } from 'vitest';
import type { FormatId } from '../../../../core/formats/registry.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import fc from '../../../setup/properties/property.ts';
import { payloads } from './payloads.ts';
import { cut, inOneGo, inSlices, type Outcome } from './slices.ts';

const settings = { numRuns: 200 };
const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 12 });
const formats = Object.keys(payloads) as FormatId[];

/** Compares slices with one go, for random payloads of each format. */
export function compareWithOneGo(): void {
  describe.each(formats)('%s in slices', (id) => {
    test('gives the value or the error that one go gives, whether the payload is whole, cut short or broken', async () => {
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

    test('gives out every item of the list at the root, and those before an error', async () => {
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

/** All items were given out, and an empty list is in their place; what is no list stays as it is. */
function checkItems(found: Outcome, items: unknown[], whole: Outcome): void {
  if ('value' in whole && Array.isArray(whole.value)) {
    assertSame(items, whole.value);
    assertSame(found, { value: [] });
  } else {
    if ('value' in whole) assertSame(items, []);
    assertSame(found, whole);
  }
}
