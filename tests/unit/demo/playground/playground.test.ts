import { describe, expect, it } from 'vitest';
import { type Advice, adviceFor, adviceText } from '../../../../demo/playground/advice.ts';
import { isCompared, pathsToPick, recordsAt, withChanges } from '../../../../demo/playground/measuring/records.ts';
import { sourceOfText } from '../../../../demo/playground/source/source.ts';
import type { EncodedForm } from '../../../../devtools-extension/reading/protocol.ts';

describe('sourceOfText', () => {
  const bytes = (text: string): number[] => [...sourceOfText(text).bytes];
  const utf8 = (text: string): number[] => [...new TextEncoder().encode(text)];

  it.each([
    ['a1 61 61 01', [0xa1, 0x61, 0x61, 1]],
    ['0xA1,0x61,0x61,0x01', [0xa1, 0x61, 0x61, 1]],
    ['a1:61\n61:01\n', [0xa1, 0x61, 0x61, 1]],
    ['oWFhAQ==', [0xa1, 0x61, 0x61, 1]],
    ['oWFhAQ', [0xa1, 0x61, 0x61, 1]],
    ['-_8A', [0xfb, 0xff, 0]],
  ])('reads the bytes of %j', (text, expected) => {
    expect(bytes(text)).toEqual(expected);
  });

  it.each(['{"a": 1}', '[1,2]', '12', '-1.5', '1e3', 'true', '"deadbeef"', '{"a":1}\n{"a":2}', 'a sentence of some words', '<p>x</p>'])(
    'takes %j as text',
    (text) => {
      expect(bytes(text)).toEqual(utf8(text));
    },
  );

  it('reads megabytes of hexadecimal', () => {
    expect(sourceOfText('0a'.repeat(1_000_000)).bytes).toHaveLength(1_000_000);
  });

  it.each([
    [' ', /empty/],
    [`${'0a'.repeat(1_500)}0`, /half a byte/],
    [`${'0a'.repeat(1_500)}xy`, /no digit/],
    [`${'AbC/'.repeat(600)}%%%%`, /base64/],
  ])('says what is wrong with a text', (text, reason) => {
    expect(() => sourceOfText(text)).toThrow(reason);
  });
});

describe('records', () => {
  const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: 'a' }));

  it('changes one of a hundred records, and shares the others', () => {
    const changed = withChanges({ list: { rows }, other: rows }, ['list', 'rows']) as { list: { rows: typeof rows } };
    const after = recordsAt(changed, ['list', 'rows']) as typeof rows;
    expect(after.flatMap((row, index) => (row === rows[index] ? [] : [row]))).toEqual([
      { id: 51, name: 'a' },
      { id: 151, name: 'a' },
    ]);
    expect(rows[50]).toEqual({ id: 50, name: 'a' });
    const texts = withChanges([{ a: null, b: 'x' }].concat(rows as never[]), []) as object[];
    expect(texts).toHaveLength(201);
  });

  it('picks two columns of more, by paths that have no dot of their own', () => {
    expect(pathsToPick({ path: ['list'], columns: ['a.b', 'c', 'd', 'e'], count: 1 })).toEqual(['list.c', 'list.d']);
    expect(pathsToPick({ path: [], columns: ['a', 'b'], count: 1 })).toEqual([]);
  });

  it('compares formats in which a refetch keeps records', () => {
    const records = { path: [], columns: ['a'], count: 100 };
    expect(isCompared('json', false, records)).toBe(true);
    expect(isCompared('json', true, records)).toBe(false);
    expect(isCompared('avro', false, records)).toBe(false);
    expect(isCompared('cbor', false, { ...records, count: 99 })).toBe(false);
  });
});

describe('adviceFor', () => {
  const own = { name: 'JSON', gzip: 100, decode: 10 };
  const form = (name: string, gzip: number, decode: number, more: Partial<EncodedForm> = {}): EncodedForm => ({
    name,
    format: 'cbor',
    size: gzip,
    gzip,
    encode: 1,
    decode,
    ...more,
  });

  it('recommends the form that is smaller and faster, and loses nothing', () => {
    const forms = [
      form('JSON', 90, 1),
      form('slower', 10, 11),
      form('lossy', 10, 1, { lost: ['1 date as text'] }),
      form('impossible', 0, 0, { problem: 'no' }),
      form('better', 80, 8),
      form('best', 62, 6, { note: 'schema inferred from this value' }),
    ];
    const advice = adviceFor(own, forms) as Advice;
    expect(adviceText(advice)).toBe(
      'Send this as best with the schema inferred above: it is 38 % smaller after gzip, and is read in 0.60 of the time.',
    );
    expect(adviceText(adviceFor(own, [form('as large', 100, 5)])!)).toBe(
      'Send this as as large: it takes as many bytes after gzip, and is read in 0.50 of the time.',
    );
  });

  it('recommends none if all are larger, slower or hardly different', () => {
    expect(adviceFor(own, [form('a', 101, 1), form('b', 1, 10.5), form('c', 96, 9.9)])).toBeUndefined();
  });
});
