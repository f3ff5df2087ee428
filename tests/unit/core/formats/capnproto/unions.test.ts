import { describe, expect, it } from 'vitest';
import capnproto, { type CapnProtoOptions } from '../../../../../core/formats/capnproto/index.ts';
import writer from '../../../../../core/formats/capnproto/writer.ts';
import { openFolder } from '../../../../setup/servers/folders.ts';
import { decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { encodeWith } from '../../../../setup/ways/encode-with.ts';

const fixtures = (await openFolder('fixtures', 'capnproto'))!;
const request = await fixtures.bytes('unions.request');
const compile = async (struct: string) => capnproto.compileSchema!({ request, struct });

/** A message whose union has the member of a number, and whose pointers are null. */
function message(member: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, member, 0, 0, 0, 0, 0);
}

const NONE = new Uint8Array(0);

describe("a member of a Cap'n Proto union", () => {
  // The output of `capnp decode`, and null for what it leaves out.
  it.each([
    [0, 'a', { implicit: 0 }],
    [1, 't', { implicit: '', none: null }],
    [2, 's', { implicit: null }],
    [3, 'd', { implicit: NONE, none: null }],
    [4, 'l', { implicit: [], none: null }],
    [5, 'p', { implicit: null }],
    [6, 'i', { implicit: null }],
    [7, 'v', { implicit: null }],
    [8, 'g', { implicit: { k: 0 }, all: { h: null, k: 0 } }],
    [9, 'ds', { implicit: { a: 7 }, none: null }],
    [10, 'dt', { implicit: 'hi', none: null }],
    [11, 'nested', { implicit: { n1: null } }],
  ] as const)('is there with every form of defaults although its pointer is null: member %i, %s', async (member, key, values) => {
    const schema = await compile('T');
    for (const defaults of ['implicit', 'all', 'none'] as const) {
      const options: CapnProtoOptions = { defaults };
      const { value } = sameInEveryCut(capnproto, message(member), { schema, options }) as { value: unknown };
      expect(value).toEqual({ [key]: defaults in values ? values[defaults as never] : values.implicit, x: 0 });
      // Written back, the same member is set.
      const again = encodeWith(writer, value, { schema });
      expect(again[18]).toBe(member);
      if (defaults === 'none') expect(decodeWith(capnproto, again, { schema, options })).toEqual(value);
    }
  });

  it('is none if another writer has set one that the schema does not have', async () => {
    expect(decodeWith(capnproto, message(99), { schema: await compile('T') })).toEqual({ x: 0 });
  });
});

describe("a flat Cap'n Proto message of one word", () => {
  it.each([
    ['a null pointer', Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0)],
    ['an empty struct', Uint8Array.of(0xfc, 0xff, 0xff, 0xff, 0, 0, 0, 0)],
  ])('is read, packed or not: %s', async (_, bytes) => {
    for (const [struct, value] of [
      ['S', { a: 0 }],
      ['E', {}],
    ] as const) {
      const schema = await compile(struct);
      expect(decodeWith(capnproto, bytes, { schema, options: { flat: true } })).toEqual(value);
      expect(decodeWith(capnproto, encodeWith(writer, {}, { schema, options: { flat: true } }), { schema, options: { flat: true } })).toEqual(value);
      const packed = encodeWith(writer, {}, { schema, options: { flat: true, packed: true } });
      expect(decodeWith(capnproto, packed, { schema, options: { flat: true } })).toEqual(value);
    }
  });
});
