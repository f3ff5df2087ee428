import { encode as encodeCbor } from 'cbor-x';
import { pack } from 'msgpackr';
import { expect, test } from 'vitest';
import cbor from '../../../../core/formats/cbor/index.ts';
import type { DecodeError } from '../../../../core/errors.ts';
import type { AnyFormat } from '../../../../core/format/format.ts';
import json from '../../../../core/formats/json/index.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import { resolveLimits } from '../../../../core/limits.ts';
import type { Reader } from '../../../../core/reading/reader.ts';
import { ColumnSink } from '../../../../core/sinks/columns/columns.ts';

/** Offset at which the test payloads begin: beyond the range of 32 bits. */
const BASE = 2 ** 32 + 12_345;

const trips = Array.from({ length: 3000 }, (_, index) => ({ id: `ride ${index}`, at: index / 8, note: index % 3 ? null : `Größe ${index}` }));
const encoder = new TextEncoder();

test.each<[string, AnyFormat, Uint8Array, number]>([
  ['json', json, encoder.encode(JSON.stringify(trips)), 0x78],
  ['messagepack', messagepack, pack(trips), 0xc1],
  ['cbor', cbor, encodeCbor(trips), 0x1c],
])('an error in %s beyond 4 GiB has its exact offset', (_, format, bytes, never) => {
  const limits = resolveLimits();
  /** Offset of the error for one wrong byte in a payload that begins at `base`. */
  const offsetOf = (base: number, at: number): number | undefined => {
    const sink = new ColumnSink(() => {}, limits);
    sink.batch([]);
    const reader: Reader = format.createReader(sink, {}, limits, undefined);
    // Pretends that `base` bytes preceded the payload.
    (reader as unknown as { base: number }).base = base;
    const spoilt = bytes.slice();
    spoilt[at] = never;
    try {
      for (let from = 0; from < spoilt.length; from += 10_000) {
        reader.push(spoilt.subarray(from, from + 10_000));
        sink.cut();
      }
      reader.end();
    } catch (error) {
      return (error as DecodeError).offset;
    }
    return undefined;
  };
  // Before the text of a string: its quote or its length.
  const wrong = new TextDecoder('latin1').decode(bytes).indexOf('ride 2000') - 1;
  const first = offsetOf(0, wrong);
  expect(first).toBeGreaterThan(10_000);
  expect(offsetOf(BASE, wrong)).toBe(BASE + first!);
});
