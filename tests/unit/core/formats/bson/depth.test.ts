import { expect, test } from 'vitest';
import { encodeSync } from '../../../../../main/sync.ts';
import writer from '../../../../../core/formats/bson/writer.ts';

/** Maps, or Maps and objects in turn, inside one another. */
function nested(depth: number, isMixed: boolean): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = isMixed && level % 2 === 0 ? { a: value } : new Map([['a', value]]);
  return value;
}

// The first encode of a process, whose code is not compiled yet, takes the most of the stack.
test.each([false, true])('Maps nested up to the limit of depth are written, and deeper ones refused with a typed error', (isMixed) => {
  for (const depth of [1_000, 999, 990]) {
    // Length, type, key, and the end of each document; the int32 inside.
    expect(encodeSync(writer, nested(depth, isMixed))).toHaveLength(depth * 8 + 4);
  }
  for (const depth of [1_001, 2_000, 20_000]) {
    expect(() => encodeSync(writer, nested(depth, isMixed))).toThrow(expect.objectContaining({ name: 'EncodeError', code: 'depth' }));
  }
});
