import { describe, expect, it } from 'vitest';
import arrow from '../../../../../core/formats/arrow/index.ts';
import arrowEncoder from '../../../../../core/formats/arrow/writer.ts';
import { decodeWith } from '../../../../setup/ways/differential.ts';
import { encodeErrorOf, encodeWith } from '../../../../setup/ways/encode-with.ts';

const limits = { depth: 100_000 };

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}

describe('Arrow columns that nest deeply', () => {
  it.each([
    ['lists', 998, (inner: unknown) => [inner]],
    ['structs', 998, (a: unknown) => ({ a })],
    ['Maps with their entries', 499, (inner: unknown) => new Map([['a', inner]])],
  ])('are written and read up to a thousand levels of %s, and refused beyond, whatever the limit', (_, levels, wrap) => {
    // The list of records and a record are levels too.
    const rows = [{ x: nested(levels, wrap) }];
    const bytes = encodeWith(arrowEncoder, rows, { limits });
    const value = decodeWith(arrow, bytes, { limits, options: { maps: 'map' } }) as object[];
    expect(Buffer.compare(encodeWith(arrowEncoder, value, { limits }), bytes)).toBe(0);
    expect(encodeErrorOf(arrowEncoder, [{ x: nested(levels + 1, wrap) }], { limits })).toMatchObject({ code: 'depth' });
    expect(encodeErrorOf(arrowEncoder, [{ x: nested(50_000, wrap) }], { limits })).toMatchObject({ code: 'depth' });
  });
});
