import { expect, test } from 'vitest';
import { Packr } from 'msgpackr';
import { detectFormat } from '../../../../devtools-extension/reading/detect/detect-format.ts';
import { exportValue } from '../../../../devtools-extension/values/value.ts';
import { readWhole } from '../read.ts';

const MESSAGE = Uint8Array.of(0x08, 0x96, 0x01);

test.each(['application/proto', 'application/proto; charset=utf-8', 'application/vnd.mapbox-vector-tile', 'application/x-vector-tile'])(
  'takes %s for Protocol Buffers',
  async (type) => {
    const found = await detectFormat(MESSAGE, type, true, []);
    expect(found).toMatchObject({ format: 'protobuf' });
    expect(found.reasons).toContain('declared by Content-Type');
  },
);

test.each([
  ['json', new TextEncoder().encode('['.repeat(5_000) + ']'.repeat(5_000))],
  ['messagepack', Uint8Array.from([...Array<number>(5_000).fill(0x91), 1])],
])('recognises %s that is nested deeper than the tree shows', async (format, bytes) => {
  expect(await detectFormat(bytes, '', true, [])).toMatchObject({ format });
});

test('shows MessagePack maps with keys of any kind, all that follows them, and other maps as objects', async () => {
  const map = new Map<unknown, unknown>([
    [1, 'a'],
    [[1, 2], 'b'],
    [null, { x: 1 }],
  ]);
  const value = new Map<string, unknown>([
    ['map', map],
    ['plain', new Map([['k', new Map([[7, true]])]])],
    ['after', [1, 2]],
  ]);
  const bytes = Uint8Array.from(new Packr({ useRecords: false, mapsAsObjects: false }).pack(value));
  const { tree } = await readWhole(bytes, { format: 'messagepack' });
  expect(exportValue(tree!, tree!.root)).toEqual({
    map: { $map: [1, 'a', [1, 2], 'b', null, { x: 1 }] },
    plain: { k: { 7: true } },
    after: [1, 2],
  });
  expect((await detectFormat(bytes, '', true, [])).format).toBe('messagepack');
});
