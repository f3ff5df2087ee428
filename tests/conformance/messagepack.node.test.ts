import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import messagepack, { MessagePackExtension } from '../../core/formats/messagepack/index.ts';
import { assertSame, sameInEveryCut } from '../setup/ways/differential.ts';
import { hex } from '../setup/values/hex.ts';

/** A value of msgpack-test-suite: its encodings in `msgpack`, and its value in another property. */
interface Entry {
  msgpack: string[];
  nil?: null;
  bool?: boolean;
  binary?: string;
  number?: number;
  bignum?: string;
  string?: string;
  array?: unknown[];
  map?: object;
  timestamp?: [seconds: number, nanoseconds: number];
  ext?: [type: number, data: string];
}

const suite = JSON.parse(
  readFileSync(new URL('../../node_modules/msgpack-test-suite/dist/msgpack-test-suite.json', import.meta.url), 'utf8'),
) as Record<string, Entry[]>;

function valueOf(entry: Entry): unknown {
  if (entry.binary !== undefined) return hex(entry.binary);
  if (entry.timestamp) return new Date(entry.timestamp[0] * 1000 + entry.timestamp[1] / 1e6);
  if (entry.ext) return new MessagePackExtension(entry.ext[0], hex(entry.ext[1]));
  return entry.bool ?? entry.number ?? entry.string ?? entry.array ?? entry.map ?? null;
}

const encodings = Object.entries(suite).flatMap(([file, entries]) =>
  entries.flatMap((entry) => entry.msgpack.map((encoding) => ({ file, encoding, entry }))),
);

describe('msgpack-test-suite', () => {
  test('contains all encodings', () => {
    expect(encodings.length).toBeGreaterThanOrEqual(233);
  });

  test.each(encodings)('decodes $encoding of $file to its value', ({ encoding, entry }) => {
    const bytes = hex(encoding);
    for (const options of [{}, { msgpackr: false }]) {
      if (entry.bignum !== undefined) {
        const float = bytes[0] === 0xca || bytes[0] === 0xcb;
        const exact = BigInt(entry.bignum);
        const safe = float || (exact >= -(2n ** 53n) && exact <= 2n ** 53n);
        assertSame(sameInEveryCut(messagepack, bytes, { options }), { value: safe ? Number(exact) : exact });
        const setting = { options: { ...options, int64: 'bigint' } };
        const wide = bytes[0] === 0xcf || bytes[0] === 0xd3;
        assertSame(sameInEveryCut(messagepack, bytes, setting), { value: wide ? exact : Number(exact) });
      } else {
        assertSame(sameInEveryCut(messagepack, bytes, { options }), { value: valueOf(entry) });
      }
    }
  });
});
