import { expect, test } from 'vitest';
import bebop from '../../../../core/formats/bebop/index.ts';
import capnproto from '../../../../core/formats/capnproto/index.ts';
import flatbuffers from '../../../../core/formats/flatbuffers/index.ts';
import type { Format } from '../../../../core/format/format.ts';
import protobuf from '../../../../core/formats/protobuf/index.ts';
import { openFolder } from '../../../setup/servers/folders.ts';
import { Dice } from './protobuf/random.ts';
import { KINDS } from '../../../setup/ways/chunk-kinds.ts';
import { randomModel } from './bebop/random.ts';

const request = await (await openFolder('fixtures', 'capnproto'))!.bytes('test.request');
const bfbs = await (await openFolder('fixtures', 'flatbuffers'))!.bytes('everything.bfbs');
const { binary, root } = randomModel(new Dice(1));
/** A file with an empty message `M`. */
const descriptorSet = Uint8Array.of(0x0a, 0x05, 0x22, 0x03, 0x0a, 0x01, 0x4d);

const SCHEMAS: Readonly<Record<string, readonly [Format<never, unknown>, Uint8Array, (bytes: unknown) => unknown]>> = {
  bebop: [bebop, binary, (bop) => ({ bop, record: root })],
  capnproto: [capnproto, request, (bytes) => ({ request: bytes, struct: 'TestDefaults' })],
  flatbuffers: [flatbuffers, bfbs, (bytes) => ({ bfbs: bytes })],
  protobuf: [protobuf, descriptorSet, (bytes) => ({ descriptorSet: bytes, message: 'M' })],
};

test.each(Object.keys(SCHEMAS))('a binary schema of %s is read by its bytes, whatever they are in, and copied', async (name) => {
  const [format, bytes, schema] = SCHEMAS[name]!;
  const expected = await format.compileSchema!(schema(bytes));
  for (const [kind, from] of Object.entries(KINDS)) {
    // Views of words need whole ones.
    if (bytes.length % 8 > 0 && /Uint16|Float64/.test(kind)) continue;
    const given = from(Uint8Array.from(bytes));
    const compiled = await format.compileSchema!(schema(given));
    new Uint8Array(ArrayBuffer.isView(given) ? given.buffer : given).fill(0);
    expect(compiled, kind).toEqual(expected);
  }
});
