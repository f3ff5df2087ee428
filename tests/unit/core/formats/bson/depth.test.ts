import { expect, test } from 'vitest';
import { encodeSync } from '../../../../../main/sync.ts';
import writer from '../../../../../core/formats/bson/writer.ts';

/** Nested Maps, or alternating Maps and objects. */
function nested(depth: number, isMixed: boolean): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = isMixed && level % 2 === 0 ? { a: value } : new Map([['a', value]]);
  return value;
}

// The first encode of a process uses the most stack, since its code is not compiled yet.
test.each([false, true])('Maps nested up to the depth limit are written, and deeper ones are rejected with a typed error', (isMixed) => {
  for (const depth of [1_000, 999, 990]) {
    // Length, type, key and end of each document, and the innermost int32.
    expect(encodeSync(writer, nested(depth, isMixed))).toHaveLength(depth * 8 + 4);
  }
  for (const depth of [1_001, 2_000, 20_000]) {
    expect(() => encodeSync(writer, nested(depth, isMixed))).toThrow(expect.objectContaining({ name: 'EncodeError', code: 'depth' }));
  }
});
