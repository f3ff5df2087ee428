import { afterEach, describe, expect, test } from 'vitest';
import { createDecoder, type Decoder, isRows, type Rows } from '../../../../main/index.ts';
import { encodeSync } from '../../../../main/sync.ts';
import avroEncoder from '../../../../core/formats/avro/writer.ts';
import bebopEncoder from '../../../../core/formats/bebop/writer.ts';
import capnprotoEncoder from '../../../../core/formats/capnproto/writer.ts';
import flatbuffersEncoder from '../../../../core/formats/flatbuffers/writer.ts';
import jsbinaryEncoder from '../../../../core/formats/jsbinary/writer.ts';
import protobufEncoder from '../../../../core/formats/protobuf/writer.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';
import { schemas } from '../../../../demo/server/schemas.mjs';

const ENCODERS = {
  avro: avroEncoder,
  protobuf: protobufEncoder,
  bebop: bebopEncoder,
  jsbinary: jsbinaryEncoder,
  flatbuffers: flatbuffersEncoder,
  capnproto: capnprotoEncoder,
};

let decoder: Decoder | undefined;

afterEach(() => {
  decoder?.close();
  decoder = undefined;
});

/** A body that arrives byte by byte. */
function inChunks(bytes: Uint8Array<ArrayBuffer>): Response {
  let at = 0;
  return new Response(
    new ReadableStream({
      pull(controller) {
        if (at < bytes.length) controller.enqueue(bytes.slice(at, ++at));
        else controller.close();
      },
    }),
  );
}

describe.each(Object.keys(ENCODERS) as (keyof typeof ENCODERS)[])('an empty list in %s', (format: FormatId & keyof typeof ENCODERS) => {
  test.each(['page', 'worker'] as const)('has the columns of the schema, decoded on the %s, whole and in chunks', async (route) => {
    const schema = (schemas['trips'] as Record<string, unknown>)[format];
    decoder = createDecoder({ schemas: { trips: { format, schema } as never } });
    const encoder = ENCODERS[format] as typeof bebopEncoder;
    const bytes = encodeSync(encoder, { trips: [] }, { schema: await encoder.compileSchema!(schema as never) }).slice();
    for (const source of [bytes, new Response(bytes), inChunks(bytes)]) {
      const { trips } = await decoder.decode<{ trips: { start_lat: number }[] }>(source, { as: 'rows', route, schema: 'trips' });
      const rows = trips as unknown as Rows<Record<string, number>>;
      expect(isRows(rows)).toBe(true);
      expect(rows.length).toBe(0);
      expect(rows.columnNames.length).toBe(13);
      const [key] = rows.columnNames as [string];
      const found = await rows.filter((row) => row[key]! > 0);
      for (const one of [rows, rows.slice(0, 10), found, await found.sortBy(key)]) {
        expect(one.columnNames).toEqual(rows.columnNames);
        expect(one.schema.fields.map(({ name }) => name)).toEqual(rows.columnNames);
        expect(one.numCols).toBe(13);
        expect(one.getChild(key)!.toArray()).toEqual([]);
        expect(one.column(key, { as: 'float64' })).toEqual(new Float64Array(0));
      }
    }
    const { trips: columns } = await decoder.decode<{ trips: object }>(bytes, { as: 'columns', route, schema: 'trips' });
    expect(Object.values(columns)).toEqual(Array.from({ length: 13 }, () => []));
    const { trips: list } = await decoder.decode<{ trips: object[] }>(bytes, { route, schema: 'trips' });
    expect(Object.getOwnPropertyNames(list)).toEqual(['length']);
  });
});
