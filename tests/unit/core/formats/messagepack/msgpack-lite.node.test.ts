/** The extensions of msgpack-lite, whose contents are values of MessagePack. */
import msgpackLite from 'msgpack-lite';
import { expect, test } from 'vitest';
import messagepack, { createReviveTag } from '../../../../../core/formats/messagepack/index.ts';
import { decodeSync } from '../../../../../main/sync.ts';

type Content = Uint8Array<ArrayBuffer>;
const content = (bytes: Content): unknown => decodeSync(messagepack, bytes);

test("decodes msgpack-lite's extensions by reviveTag", () => {
  const reviveTag = createReviveTag({
    0x02: (bytes: Content) => new RangeError((content(bytes) as Error).message),
    0x05: (bytes: Content) => new TypeError((content(bytes) as Error).message),
    0x0a: (bytes: Content) => new RegExp(...(content(bytes) as [string, string])),
    0x0b: content,
    0x0c: content,
    0x0d: (bytes: Content) => new Date(content(bytes) as number),
    0x0f: content,
    0x13: (bytes: Content) => new Int16Array(bytes.slice().buffer),
    0x18: (bytes: Content) => new Float64Array(bytes.slice().buffer),
    0x1a: (bytes: Content) => bytes.slice().buffer,
  });
  const value = [
    new RangeError('far'),
    new TypeError('other'),
    /a+/gi,
    new Date(1.5e12),
    Int16Array.of(1, -2),
    Float64Array.of(1.5),
    Uint8Array.of(9).buffer,
  ];
  const codec = msgpackLite.createCodec({ preset: true });
  const bytes = Uint8Array.from(msgpackLite.encode([...value, Object(true), Object('s'), Object(5)], { codec }));
  expect(decodeSync(messagepack, bytes, { reviveTag })).toEqual([...value, true, 's', 5]);
});

test("reads raw values of msgpack-lite that are no UTF-8 as bytes, with invalidText: 'bytes', also in an extension", () => {
  const codec = msgpackLite.createCodec({ useraw: true });
  const bytes = Uint8Array.from(msgpackLite.encode([Buffer.of(0xff, 0xfe), Buffer.from('text'), Buffer.alloc(40, 0x80)], { codec }));
  expect(() => decodeSync(messagepack, bytes)).toThrow('a string is not valid UTF-8');
  const raw = [Uint8Array.of(0xff, 0xfe), 'text', new Uint8Array(40).fill(0x80)];
  expect(decodeSync(messagepack, bytes, { invalidText: 'bytes' })).toEqual(raw);
  const reviveTag = createReviveTag({ 0x20: (data: Content) => decodeSync(messagepack, data, { invalidText: 'bytes' }) });
  const extension = Uint8Array.of(0xc7, bytes.length, 0x20, ...bytes);
  expect(decodeSync(messagepack, extension, { reviveTag })).toEqual(raw);
});
