import { Encoder } from 'cbor-x';
import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { gzipSync } from 'fflate';
import { detectFormat } from '../../../../devtools-extension/reading/detect/detect-format.ts';
import { type Unwrapped, unwrap } from '../../../../devtools-extension/reading/framings/unwrap.ts';
import protobuf from '../../../../core/formats/protobuf/index.ts';
import { Dice, randomMessage, randomProto } from '../../core/formats/protobuf/random.ts';

const packr = new Packr({ useRecords: false });
const records = new Packr({ useRecords: true });
const cbor = new Encoder({ useRecords: false });
const cborRecords = new Encoder({ useRecords: true });

/** Typical values of service responses. */
function values(): unknown[] {
  const row = (i: number) => ({ id: i, name: `name ${i}`, price: i * 1.25, tags: ['a', `b${i}`], active: i % 2 === 0, note: null });
  const made: unknown[] = [];
  for (let i = 0; i < 12; i += 1) {
    made.push(
      row(i),
      Array.from({ length: i + 1 }, (_, n) => row(n)),
      { ok: true, count: i, items: [row(i)] },
      { error: { code: 400 + i, message: 'not so' } },
    );
  }
  made.push(
    { matrix: Array.from({ length: 20 }, (_, i) => [i, i * 2, i * 0.5]) },
    { text: 'längerer Text, 日本語 '.repeat(5) },
    { a: { b: { c: { d: [] } } } },
  );
  return made;
}

interface Labelled {
  label: string;
  bytes: Uint8Array;
}

function labelled(): Labelled[] {
  return values().flatMap((value) => [
    { label: 'json', bytes: new TextEncoder().encode(JSON.stringify(value)) },
    { label: 'messagepack', bytes: Uint8Array.from(packr.pack(value)) },
    { label: 'messagepack', bytes: Uint8Array.from(records.pack(value)) },
    { label: 'cbor', bytes: Uint8Array.from(cbor.encode(value)) },
    { label: 'cbor', bytes: Uint8Array.from(cborRecords.encode(value)) },
  ]);
}

test('payloads without a Content-Type are detected by their bytes, and wrong guesses are never certain', async () => {
  const all = labelled();
  expect(all.length).toBeGreaterThanOrEqual(200);
  const wrong: string[] = [];
  for (const { label, bytes } of all) {
    const { format, confidence, reasons } = await detectFormat(bytes, '', true, []);
    if (format !== label) wrong.push(`${label} taken for ${format} (${confidence.toFixed(2)}, ${reasons.join('; ')})`);
    if (format !== label) expect(confidence).toBeLessThan(0.9);
  }
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(all.length * 0.01);
});

test('random Protocol Buffers messages are never mistaken for another format with certainty', async () => {
  let right = 0;
  let sure = 0;
  let all = 0;
  for (let seed = 0; seed < 60; seed += 1) {
    const dice = new Dice(seed);
    const schema = (await protobuf.compileSchema!({ proto: randomProto(dice, 'proto3'), message: 't.M0' }))!;
    const bytes = Uint8Array.from(randomMessage(dice, schema, schema.root, { orderly: true, unknown: false, wrongTypes: false }));
    if (bytes.length < 12) continue;
    all += 1;
    const { format, confidence } = await detectFormat(bytes, '', true, []);
    if (format === 'protobuf') right += 1;
    else if (confidence >= 0.9) sure += 1;
  }
  expect(sure).toBe(0);
  expect(right / all).toBeGreaterThan(0.5);
});

test('random bytes are not identified with confidence', async () => {
  let state = 12_345;
  const random = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state >>> 16;
  };
  let sure = 0;
  for (let i = 0; i < 300; i += 1) {
    const bytes = Uint8Array.from({ length: 8 + (i % 120) }, () => random() & 0xff);
    const { confidence } = await detectFormat(bytes, '', true, []);
    if (confidence >= 0.9) sure += 1;
  }
  expect(sure).toBeLessThanOrEqual(3);
});

describe('unwrap', () => {
  const payload = Uint8Array.from(packr.pack({ hello: 'world' }));
  const off = (bytes: Uint8Array, contentType = ''): Promise<Unwrapped> => unwrap(bytes, { contentType });

  test('removes gzip, even nested', async () => {
    const { bytes, wrappings } = await off(gzipSync(gzipSync(payload)));
    expect(bytes).toEqual(payload);
    expect(wrappings).toEqual(['gzip', 'gzip']);
  });

  test('preserves gRPC-web, with delimited messages as its content', async () => {
    const frame = Uint8Array.of(0, 0, 0, 0, 2, 8, 1, 0, 0, 0, 0, 2, 8, 2, 0x80, 0, 0, 0, 1, 0x41);
    const { bytes, content, wrappings } = await off(frame, 'application/grpc-web+proto');
    expect(bytes).toEqual(frame);
    expect([...content]).toEqual([2, 8, 1, 2, 8, 2]);
    expect(wrappings).toEqual(['gRPC-web frames']);
    expect(await detectFormat(content, 'application/grpc-web+proto', true, wrappings)).toMatchObject({ format: 'protobuf', sequence: true });
  });

  test('recognises delimited messages in gRPC-web in base64, gRPC and Connect', async () => {
    const frame = Uint8Array.of(0, 0, 0, 0, 2, 8, 1, 0, 0, 0, 0, 2, 8, 2);
    const text = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
    const parts = new TextEncoder().encode(text(frame.subarray(0, 7)) + text(frame.subarray(7)));
    const inBase64 = await off(parts, 'application/grpc-web-text+proto');
    expect([...inBase64.content]).toEqual([2, 8, 1, 2, 8, 2]);
    expect(inBase64.wrappings).toEqual(['base64', 'gRPC-web frames']);
    expect((await off(frame, 'application/grpc')).wrappings).toEqual(['gRPC frames']);
    const json = new TextEncoder().encode('{"a":1}');
    const connect = Uint8Array.of(0, 0, 0, 0, json.length, ...json, 0, 0, 0, 0, json.length, ...json, 2, 0, 0, 0, 2, 0x7b, 0x7d);
    const found = await off(connect);
    expect(found.wrappings).toEqual(['Connect envelopes']);
    expect(await detectFormat(found.content, '', true, found.wrappings)).toMatchObject({ format: 'json', sequence: true });
  });

  test('preserves malformed wrappings', async () => {
    expect((await off(Uint8Array.of(0x1f, 0x8b, 8, 1, 2, 3))).wrappings).toEqual([]);
  });
});

test.each([
  ['application/cbor-seq', Uint8Array.of(1, 2, 0x61, 0x62, 0xf5)],
  ['application/x-ndjson', new TextEncoder().encode('1\n"two"\nnull\n')],
])('consecutive scalars are a sequence if %s says so', async (type, bytes) => {
  const found = await detectFormat(bytes, type, true, []);
  expect(found).toMatchObject({ sequence: true });
  expect(found.confidence).toBeGreaterThan(0.95);
  expect(found.reasons.join()).not.toContain('does not parse');
});

test('several consecutive values are a sequence', async () => {
  const one = Uint8Array.from(packr.pack({ a: 'first', b: [1] }));
  const bytes = Uint8Array.of(...one, ...one, ...one);
  expect(await detectFormat(bytes, '', true, [])).toMatchObject({ format: 'messagepack', sequence: true });
  const lines = new TextEncoder().encode('{"a":1}\n{"a":2}\n');
  expect(await detectFormat(lines, '', true, [])).toMatchObject({ format: 'json', sequence: true });
});

test('a Content-Type that contradicts the bytes gets low confidence', async () => {
  const html = new TextEncoder().encode('<!doctype html><title>502</title>');
  expect((await detectFormat(html, 'application/msgpack', true, [])).format).toBeUndefined();
  const damaged = Uint8Array.from(packr.pack({ a: 'text', b: 'more' })).subarray(0, 9);
  expect((await detectFormat(damaged, 'application/msgpack', true, [])).confidence).toBeLessThan(0.6);
});
