import { expect, it } from 'vitest';
import { StringList } from '../../../../core/rows/text.ts';
import { encodeWtf8 } from '../../../../core/bytes/text/encode-wtf8.ts';

/** More strings than are decoded one by one. */
const strings = Array.from({ length: 600 }, (_, index) => (index % 7 === 0 ? '' : `№ ${index} \ud800`));

function append(list: StringList, from: number, to: number): void {
  const bytes = strings.slice(from, to).map((text) => encodeWtf8(text));
  let end = 0;
  const ends = Uint32Array.from(bytes, ({ length }) => (end += length));
  const joined = new Uint8Array(end);
  bytes.forEach((piece, index) => joined.set(piece, ends[index]! - piece.length));
  list.append(from, ends, joined, false);
}

it('the strings of a growing dictionary are the same one by one and all at once', () => {
  const list = new StringList();
  expect(list.one(0)).toBeUndefined();
  append(list, 0, 400);
  for (const index of [399, 0, 7, 8]) expect(list.one(index)).toBe(strings[index]);
  expect(list.one(400)).toBeUndefined();
  append(list, 400, 600);
  for (let time = 0; time < 2; time += 1) expect(strings.map((_, index) => list.one(index))).toEqual(strings);
  expect(list.values()).toEqual(strings);
  expect(list.one(599)).toBe(strings[599]);
});
