import { describe, expect, test } from 'vitest';
import { exportValue } from '../../../../devtools-extension/values/value.ts';
import { detectFormat } from '../../../../devtools-extension/reading/detect/detect-format.ts';
import { readFramed } from '../../../../devtools-extension/reading/framings/framed-tree.ts';
import { findFraming } from '../../../../devtools-extension/reading/framings/index.ts';
import type { PanelFormatId } from '../../../../devtools-extension/reading/read-format.ts';
import { readSpans } from '../../../../devtools-extension/reading/spans/read-spans.ts';
import fc from '../../../setup/properties/property.ts';
import { bodyOf, checkBody, entryAt, namesOf, partsOf, readDamaged, readWhole } from '../read.ts';

const from64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** Struct with fields of every type, written by thriftpy2 0.7. */
const COMPACT = 'GAZPYWsgU3QW9qGr/vliFwAAAAAAQERAGSwVDhES6AJvawAVERIR6AjDvGJlcndlZwAaFAYbAoUBYQIBYgMYAwD/ARP7GTEBAgEZBQZQgoCAgICAgICAARsAAA==';
const BINARY =
  'CwABAAAABk9hayBTdAoAAgAAAYvP5Wh7BAADQERAAAAAAAAPAAQMAAAAAggAAQAAAAcCAAIBAgADAAsAEQAAAAJvawAIAAH////3AgACAAIAAwELABEAAAAIw7xiZXJ3ZWcADgAFBgAAAAEAAw0ABgsIAAAAAgAAAAFhAAAAAQAAAAFi/////gsABwAAAAMA/wEDAAj7DwAJAgAAAAMBAAEPAAoIAAAAAAoAKEAAAAAAAAABDQApCAsAAAAAAA==';
const VALUE = {
  1: 'Oak St',
  2: 1_700_000_000_123,
  3: 40.5,
  4: [
    { 1: 7, 2: true, 3: false, 17: 'ok' },
    { 1: -9, 2: false, 3: true, 17: 'überweg' },
  ],
  5: { $set: [3] },
  6: { $map: ['a', 1, 'b', -2] },
  7: { $base64: 'AP8B' },
  8: -5,
  9: [true, false, true],
  10: [],
  40: { $bigint: '4611686018427387905' },
  41: { $map: [] },
};
/** A call with one argument by thriftpy2, and a oneway call with a map of lists by Apache's library for Python, 0.25. */
const CALLS: readonly [PanelFormatId, string, string][] = [
  ['thrift-compact', 'giEFBGZpbmQVDgA=', 'goGsAgV0b3VjaBgDRWxtCygCGQEXAAAAAAAABEACFwAAAAAAAARABAXXBAA='],
  [
    'thrift-binary',
    'gAEAAQAAAARmaW5kAAAABQgAAQAAAAcA',
    'gAEABAAAAAV0b3VjaAAAASwLAAEAAAADRWxtDQAUAg8AAAACAQQAAAABQAQAAAAAAAAABAAAAAFABAAAAAAAAAb//f7UAA==',
  ],
];
const STRUCTS: readonly [PanelFormatId, string][] = [
  ['thrift-compact', COMPACT],
  ['thrift-binary', BINARY],
];

describe('reader of Thrift structs', () => {
  test.each(STRUCTS)('returns a tree by field ids from %s, without a schema', async (format, text) => {
    const body = await readWhole(from64(text), { format });
    expect(exportValue(body.tree!, body.tree!.root)).toEqual(VALUE);
  });

  test('shows ids, types and bytes in the compact protocol', async () => {
    const bytes = from64(COMPACT);
    const body = await readWhole(bytes, { format: 'thrift-compact' });
    expect(namesOf(body)).toEqual(
      expect.arrayContaining([
        ': struct',
        '1: field 1, string',
        '2: field 2, i64',
        '4: field 4, list',
        '4.0: struct',
        '4.0.2: field 2, true',
        '4.1.17: field 17, string',
        '5: field 5, set',
        '5.0: i16',
        '6: field 6, map',
        '6.0: string',
        '6.1: i32',
        '9.1: bool',
        '40: field 40, i64',
      ]),
    );
    const tree = body.tree!;
    expect(partsOf(body, entryAt(tree.data, bytes, [1]))).toEqual(['key, field id, type 0..1', 'length 1..2', 'payload 2..8']);
  });

  test('shows ids, types and bytes in the binary protocol', async () => {
    const bytes = from64(BINARY);
    const body = await readWhole(bytes, { format: 'thrift-binary' });
    expect(namesOf(body)).toEqual(
      expect.arrayContaining([
        '1: field 1, string',
        '3: field 3, double',
        '4.1: struct',
        '6.0: string',
        '6.1: i32',
        '9.0: bool',
        '41: field 41, map',
      ]),
    );
    expect(partsOf(body, entryAt(body.tree!.data, bytes, [1]))).toEqual(['key, type, field id 0..3', 'length 3..7', 'payload 7..13']);
  });

  test.each(STRUCTS)("shows the preceding fields and the error's offset for truncated %s", async (format, text) => {
    const bytes = from64(text);
    for (let end = 0; end < bytes.length; end += 1) {
      const part = bytes.slice(0, end);
      const reading = await readSpans(part, { format });
      expect(reading.error).toMatchObject({ code: 'truncated', format });
      expect(reading.error!.offset).toBeLessThanOrEqual(end);
      checkBody(bodyOf(part, { format }, reading));
    }
  });

  test.each<[PanelFormatId, number[], object]>([
    ['thrift-compact', [0x0e, 2], { code: 'malformed', reason: 'unknown type 14', offset: 0 }],
    ['thrift-compact', [0x1c, 0x1e], { code: 'malformed', reason: 'unknown type 14', offset: 1, path: ['1'] }],
    ['thrift-compact', [0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x0f], { code: 'truncated', offset: 1, path: ['1'] }],
    ['thrift-compact', [0x16, ...Array.from({ length: 10 }, () => 0xff)], { code: 'malformed', offset: 1 }],
    ['thrift-compact', [0x15, 2, 0, 9], { code: 'malformed', reason: 'bytes follow the end of the struct', offset: 3 }],
    ['thrift-binary', [1, 0, 1], { code: 'malformed', reason: 'unknown type 1', offset: 0 }],
    ['thrift-binary', [11, 0, 1, 0xff, 0xff, 0xff, 0xff], { code: 'malformed', reason: 'a length of -1', offset: 7 }],
    ['thrift-binary', [15, 0, 1, 12, 0x7f, 0xff, 0xff, 0xff], { code: 'truncated', offset: 3 }],
    ['thrift-binary', [13, 0, 1, 11, 11, 0x80, 0, 0, 0], { code: 'malformed', offset: 3 }],
  ])('rejects %s with the hostile bytes %j with an offset', async (format, bytes, error) => {
    expect((await readSpans(Uint8Array.from(bytes), { format })).error).toMatchObject(error);
  });

  test.each<[PanelFormatId, number[]]>([
    ['thrift-compact', [0x1c]],
    ['thrift-binary', [12, 0, 1]],
  ])('rejects %s nested too deep', async (format, step) => {
    const deep = Uint8Array.from(Array.from({ length: 1_000 }, () => step).flat());
    expect((await readSpans(deep, { format })).error).toMatchObject({ limit: 'depth', offset: 200 * step.length });
  });

  test('returns correct ranges and sizes for bytes damaged anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...STRUCTS),
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 20, maxLength: 20 }),
        async ([format, text], random) => {
          let at = 0;
          await readDamaged(from64(text), { format }, () => random[at++ % random.length]!);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('reader of Thrift messages', () => {
  const read = async (bytes: Uint8Array) => {
    const framing = findFraming(bytes, { contentType: '' })!;
    const reading = await readFramed(bytes, framing, { format: framing.format! });
    expect(reading.error).toBeUndefined();
    const body = bodyOf(bytes, { format: framing.format! }, reading);
    checkBody(body);
    return { framing, value: exportValue(body.tree!, body.tree!.root) };
  };

  test.each(CALLS)('recognises %s by its header, and shows the method', async (format, find, touch) => {
    const { framing, value } = await read(from64(find));
    expect(framing).toMatchObject({ wrapping: 'Thrift messages', format, isList: false });
    expect(value).toEqual({ protocol: format.slice(7), 'message type': 'call', 'sequence id': 5, name: 'find', arguments: { 1: 7 } });
    expect((await read(from64(touch))).value).toMatchObject({
      'message type': 'oneway',
      'sequence id': 300,
      name: 'touch',
      arguments: { 1: 'Elm', 20: { $map: [true, [2.5], false, [2.5]] }, '-3': -300 },
    });
  });

  test.each(CALLS)('accepts %s with length prefixes and consecutive messages', async (_, find, touch) => {
    const framed = [find, touch].flatMap((text) => {
      const bytes = from64(text);
      return [0, 0, 0, bytes.length, ...bytes];
    });
    const { framing, value } = await read(Uint8Array.from(framed));
    expect(framing.isList).toBe(true);
    expect(value).toMatchObject([
      { 'frame length': from64(find).length, name: 'find' },
      { 'frame length': from64(touch).length, name: 'touch' },
    ]);
  });

  test.each(CALLS)('ignores %s with a truncated header', (_, find) => {
    const bytes = from64(find);
    for (let end = 0; end < bytes.length - 4; end += 1) {
      const framing = findFraming(bytes.slice(0, end), { contentType: '' });
      if (framing) expect(framing.pieces[0]!.parts.at(-1)).toMatchObject({ name: 'arguments' });
    }
    expect(findFraming(bytes.slice(0, 7), { contentType: '' })).toBeUndefined();
  });
});

describe('Thrift detection', () => {
  const detect = (text: string, contentType: string) => detectFormat(from64(text), contentType, true, []);

  test.each([
    ['thrift-compact', COMPACT, 'application/x-thrift'],
    ['thrift-binary', BINARY, 'application/x-thrift'],
    ['thrift-compact', COMPACT, 'application/vnd.apache.thrift.compact'],
  ])('recognises %s by its Content-Type, and by the protocol that reads to the end', async (format, text, contentType) => {
    expect(await detect(text, contentType)).toMatchObject({ format, confidence: 0.97, sequence: false });
  });

  test('loses confidence if the bytes do not parse', async () => {
    expect(await detect('//8=', 'application/vnd.apache.thrift.binary')).toMatchObject({ format: 'thrift-binary', confidence: 0.5 });
  });
});
