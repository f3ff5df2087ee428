/** The path of an error names the invalid value, never the one before it, for every sink. */
import { describe, expect, test } from 'vitest';
import { DecodeSession } from '../../../core/format/decode-session.ts';
import type { DecodeError } from '../../../core/errors.ts';
import type { Sink } from '../../../core/reading/sink.ts';
import json from '../../../core/formats/json/index.ts';
import messagepack from '../../../core/formats/messagepack/index.ts';
import type { AnyFormat } from '../../../core/format/format.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import { resolveLimits } from '../../../core/limits.ts';
import { RowSink } from '../../../core/kernels/row-sink.ts';
import { JsonTextSink } from '../../../core/sinks/json/text.ts';
import { ObjectSink } from '../../../core/sinks/objects/objects.ts';
import { SpanSink } from '../../../core/sinks/spans/spans.ts';

const limits = resolveLimits();

/** Sinks for a payload of a given number of bytes. */
const SINKS: Readonly<Record<string, (bytes: number) => Sink>> = {
  objects: () => new ObjectSink(),
  columns: () => new RowSink(() => {}, limits),
  'JSON text': () => new JsonTextSink(),
  spans: (bytes) => new SpanSink(bytes),
};

function pathOf(id: FormatId, format: AnyFormat, sink: Sink, bytes: Uint8Array, chunk: number): unknown {
  const session = new DecodeSession({ id, format, options: {}, limits }, sink);
  try {
    for (let at = 0; at < bytes.length; at += chunk) session.push(bytes.slice(at, at + chunk));
    session.end();
    if (sink instanceof RowSink) sink.finish();
  } catch (error) {
    return (error as DecodeError).path;
  }
  return 'no error';
}

/** Text with `¿` replaced by a byte that is never valid in UTF-8. */
const text = (source: string): Uint8Array => Uint8Array.from(source, (character) => (character === '¿' ? 0xff : character.charCodeAt(0)));

const ROW = '{"end_lng":-73.9,"member_casual":"member"}';

const CASES: [name: string, source: string, path: (string | number)[]][] = [
  ['a bad byte in a key', '{"end_lng":-73.9,"member¿casual":"member"}', []],
  ['a bad byte in the key of a row', `[${ROW},${ROW},{"end_lng":-73.9,"member¿casual":"member"}]`, [2]],
  ['a bad byte in the first key of a row', `[${ROW},${ROW},{"end¿lng":-73.9}]`, [2]],
  ['a value instead of a key', `[${ROW},${ROW},{"end_lng":-73.9,7}]`, [2]],
  ['a bad byte in a value', '{"end_lng":-73.9,"member_casual":"¿"}', ['member_casual']],
  ['a bad byte in a value of a row', `[${ROW},${ROW},{"end_lng":-73.9,"member_casual":"¿"},`, [2, 'member_casual']],
  ['a value that cannot begin', `[${ROW},${ROW},{"end_lng":-73.9,"member_casual":?}]`, [2, 'member_casual']],
  ['no comma after a value', `[${ROW},${ROW},{"end_lng":-73.9 "member_casual":"member"}]`, [2]],
  ['no comma after an object in an object', '{"a":{"x":1,"y":2} "b":3}', []],
  ['a bad byte in an object in an object', '{"a":{"x":1,"y":"¿"}}', ['a', 'y']],
  ['a key unknown to the rows, with a bad value', `[${ROW},${ROW},{"end_lng":-73.9,"other":"¿"}]`, [2, 'other']],
  ['a bad key after one unknown to the rows', `[${ROW},${ROW},{"end_lng":-73.9,"other":1,"more¿":2}]`, [2]],
];

describe.each(Object.keys(SINKS))('error path with sink %s', (name) => {
  // The spans sink does not decode the text of values.
  const cases = CASES.filter(([, source]) => name !== 'spans' || !source.includes('"¿"'));

  test.each(cases)('names the invalid value in JSON with %s', (_, source, path) => {
    for (const chunk of [Infinity, 7, 1])
      expect(pathOf('json', json as AnyFormat, SINKS[name]!(source.length), text(source), Math.min(chunk, source.length))).toEqual(path);
  });

  test('names the invalid key or value in MessagePack', () => {
    const key = Uint8Array.of(0x82, 0xa1, 0x61, 1, 0xa1, 0xff, 2);
    const value = Uint8Array.of(0x82, 0xa1, 0x61, 1, 0xa1, 0x62, 0xc1);
    for (const chunk of [7, 1]) {
      expect(pathOf('messagepack', messagepack as AnyFormat, SINKS[name]!(7), key, chunk)).toEqual([]);
      expect(pathOf('messagepack', messagepack as AnyFormat, SINKS[name]!(7), value, chunk)).toEqual(['b']);
    }
  });
});
