import { Bool, Dictionary, Field, Float64, Int32, List, tableToIPC, Table, Utf8, vectorFromArray } from 'apache-arrow';
import { expect, test } from 'vitest';
import { checkBody, entryAt, partsOf, readWhole } from '../read.ts';

test('a value of Arrow has its bytes in the buffer of its column', async () => {
  const table = new Table({
    count: vectorFromArray([7, null, 300], new Int32()),
    name: vectorFromArray(['Oak', 'Elm St', 'é'], new Utf8()),
    isOpen: vectorFromArray([true, false, true], new Bool()),
    prices: vectorFromArray([[1.5], [], [2, 3]], new List(new Field('item', new Float64()))),
    kind: vectorFromArray(['a', 'b', 'a'], new Dictionary(new Utf8(), new Int32())),
  });
  for (const way of ['stream', 'file'] as const) {
    const bytes = tableToIPC(table, way);
    const body = await readWhole(bytes, { format: 'arrow' });
    checkBody(body);
    const { data } = body.tree!;
    const own = (...path: (string | number)[]): Uint8Array => {
      const node = entryAt(data, bytes, path);
      return bytes.subarray(data.values[node], data.ends[node]);
    };
    expect([...own(0, 'count')]).toEqual([7, 0, 0, 0]);
    expect([...own(2, 'count')]).toEqual([44, 1, 0, 0]);
    expect(new TextDecoder().decode(own(1, 'name'))).toBe('Elm St');
    expect([...own(2, 'isOpen')]).toEqual([5]);
    expect([...own(2, 'prices', 1)]).toEqual([0, 0, 0, 0, 0, 0, 8, 64]);
    expect(own(0)).toHaveLength(0);
    expect(own(0, 'kind')).toHaveLength(0);
    const name = entryAt(data, bytes, [2, 'name']);
    const parts = (...path: (string | number)[]): string[] => partsOf(body, entryAt(data, bytes, path));
    expect(parts(2, 'name')).toEqual([`payload ${data.values[name]}..${data.ends[name]}`, expect.stringMatching(/^offsets /)]);
    // The offsets 3 × 4 bytes after the first: 9 and 11.
    const [from, end] = /(\d+)\.\.(\d+)/.exec(parts(2, 'name')[1]!)!.slice(1).map(Number) as [number, number];
    expect([...bytes.subarray(from, end)]).toEqual([9, 0, 0, 0, 11, 0, 0, 0]);
    expect(parts(1, 'count')).toEqual([expect.stringMatching(/^payload/), expect.stringMatching(/^validity, bit 1 /)]);
    const [validity] = /\d+(?=\.\.\d+$)/.exec(parts(1, 'count')[1]!)!.map(Number) as [number];
    expect(bytes[validity]).toBe(0b101);
    expect(parts(2, 'prices')).toEqual([expect.stringMatching(/^offsets /)]);
    expect(parts(2, 'kind')).toEqual([expect.stringMatching(/^index /)]);
    // The first offset of a text ends the one before it, which owns it in the sizes.
    expect(body.tree!.nodeAt(from)).toBe(entryAt(data, bytes, [1, 'name']));
    expect(body.tree!.nodeAt(data.values[name]!)).toBe(name);
    expect(partsOf(body, entryAt(data, bytes, [2, 'isOpen']))[0]).toMatch(/^shared/);
  }
});
