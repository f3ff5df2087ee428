import * as apache from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { createDecoder, isRows, type Rows } from '../../../../main/index.ts';
import { describeCorpus } from '../../../setup/servers/folders.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { decodeSync } from '../../../../main/sync.ts';
import arrow from '../../../../core/formats/arrow/index.ts';
import { sampleBytes } from '../../core/formats/arrow/samples.ts';

const decoder = createDecoder({ syncBelow: 0 });

/** A body that arrives in chunks. */
function inChunks(bytes: Uint8Array<ArrayBuffer>, size: number): Response {
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size));
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      const chunk = chunks.shift();
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/vnd.apache.arrow.stream' } });
}

describe('rows of Arrow', () => {
  it.each(['stream', 'file'] as const)('have the values of the objects, from a %s in memory or in chunks', async (framing) => {
    const bytes = sampleBytes(framing);
    const expected = decodeSync(arrow, bytes);
    for (const source of [bytes, bytes.buffer, inChunks(bytes, 7), inChunks(bytes, 1000)]) {
      const rows = (await decoder.decode(source, { as: 'rows' })) as Rows;
      expect(isRows(rows)).toBe(true);
      assertSame(rows.toArray(), expected);
      assertSame(rows.at(3), (expected as object[])[3]);
    }
    assertSame(await decoder.decode(bytes), expected);
    expect(bytes.buffer.byteLength).toBeGreaterThan(0);
  });

  it('are views of the payload where the layouts agree', async () => {
    const table = new apache.Table({ id: apache.vectorFromArray([1, 2, 3], new apache.Float64()) } as never);
    const bytes = Uint8Array.from(apache.tableToIPC(table, 'stream'));
    const rows = (await decoder.decode(bytes, { as: 'rows' })) as Rows<{ id: number }>;
    new Float64Array(bytes.buffer).fill(7);
    expect(rows.at(1)!.id).toBe(7);
  });

  it('have the columns of the schema without rows', async () => {
    const bytes = Uint8Array.from(apache.tableToIPC(new apache.Table({ a: apache.vectorFromArray([], new apache.Int32()) } as never), 'stream'));
    const rows = (await decoder.decode(bytes, { as: 'rows' })) as Rows;
    expect(rows.length).toBe(0);
    expect(rows.toArray()).toEqual([]);
  });
});

await describeCorpus('arrow/integration', (corpus) => {
  it('rows of each integration file have the values of the objects', async () => {
    for (const file of corpus.files.filter((path) => path.endsWith('.stream') || path.endsWith('.arrow_file'))) {
      const bytes = await corpus.bytes(file);
      await arrow.prepare!(bytes);
      for (const options of [{}, { int64: 'bigint', timestamps: 'number', decimals: 'number', maps: 'map' }] as const) {
        const expected = decodeSync(arrow, bytes, { options });
        const rows = (await decoder.decode(bytes, { as: 'rows', format: 'arrow', options })) as Rows;
        assertSame(rows.toArray(), expected);
        assertSame(await decoder.decode(bytes, { format: 'arrow', options }), expected);
      }
    }
  });
});
