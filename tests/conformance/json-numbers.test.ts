import { describe, expect, test } from 'vitest';
import { Materialiser } from '../../main/rows/materialise.ts';
import json from '../../core/formats/json/index.ts';
import { resolveLimits } from '../../core/limits.ts';
import { reviveCore } from '../../core/reading/revive.ts';
import { RowSink } from '../../core/kernels/row-sink.ts';
import { decodeWith } from '../setup/ways/differential.ts';
import { describeCorpus } from '../setup/servers/folders.ts';
import { kernelOf, KERNELS } from '../setup/kernels/kernels.ts';

/** Number of lines by file. */
const COUNTS = {
  'freetype-2-7.txt': 3566,
  'google-wuffs.txt': 10744,
  'lemire-fast-float.txt': 3299,
  'more-test-cases.txt': 60,
  'tencent-rapidjson.txt': 3563,
};

/** A number of JSON (RFC 8259 section 6). */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const view = new DataView(new ArrayBuffer(8));

function bitsOf(value: unknown): string {
  if (typeof value !== 'number') throw new TypeError(`${String(value)} is no number`);
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, '0');
}

/** The bits of the negated number. */
function negated(bits: string): string {
  return (BigInt(`0x${bits}`) ^ (1n << 63n)).toString(16).padStart(16, '0');
}

interface Line {
  text: string;
  bits: string;
}

/** The lines with JSON numbers, each also negated. Numbers beyond the range of doubles are infinite. */
function linesOf(file: string): Line[] {
  return file.split('\n').flatMap((line) => {
    const [, , bits, text] = line.trim().split(/\s+/);
    if (text === undefined || !NUMBER.test(text)) return [];
    const same = { text, bits: bits!.toLowerCase() };
    return [same, { text: text.startsWith('-') ? text.slice(1) : `-${text}`, bits: negated(same.bits) }];
  });
}

async function columnOf(bytes: Uint8Array, chunk: number, kernel: string): Promise<{ values: unknown[]; rows: number }> {
  const materialiser = new Materialiser({ as: 'objects', revive: reviveCore });
  const sink = new RowSink((part) => materialiser.push(part), resolveLimits(), {}, kernelOf(kernel));
  const reader = json.createReader(sink, {}, resolveLimits(), undefined);
  for (let at = 0; at < bytes.length; at += chunk) reader.push(bytes.slice(at, at + chunk));
  reader.end();
  sink.finish();
  return { values: ((await materialiser.done()) as { n: unknown }[]).map(({ n }) => n), rows: sink.kernelRows };
}

await describeCorpus('json-numbers', (corpus) => {
  const encoder = new TextEncoder();

  test('the corpus is complete', async () => {
    for (const [name, count] of Object.entries(COUNTS)) expect((await corpus.text(name)).trim().split('\n')).toHaveLength(count);
  });

  test.each(Object.keys(COUNTS))('each number of %s decodes to its bits', async (name) => {
    const lines = linesOf(await corpus.text(name));
    expect(lines.length).toBeGreaterThan(50);
    const wrong = lines.filter(({ text, bits }) => bitsOf(decodeWith(json, encoder.encode(text))) !== bits);
    expect(wrong).toEqual([]);
  });

  describe.each(Object.keys(KERNELS))('%s', (kernel) => {
    test.each(Object.keys(COUNTS))('each number of %s decodes to its bits, in columns', async (name) => {
      const lines = linesOf(await corpus.text(name));
      const bytes = encoder.encode(`[${lines.map(({ text }) => `{"n":${text}}`).join(',\n')}]`);
      for (const chunk of [bytes.length, 997, 7]) {
        const { values, rows } = await columnOf(bytes, chunk, kernel);
        expect(lines.filter(({ bits }, index) => bitsOf(values[index]) !== bits)).toEqual([]);
        if (kernel.includes('eager') && chunk > 7) expect(rows).toBeGreaterThan(lines.length > 1000 ? lines.length / 3 : 0);
      }
    });
  });

  test.each(Object.keys(COUNTS))('each number of %s decodes to its bits, cut at any position', async (name) => {
    const lines = linesOf(await corpus.text(name));
    const bytes = encoder.encode(`[${lines.map(({ text }) => text).join(',')}]`);
    const values = decodeWith(json, bytes, { chunkSizes: new Array<number>(Math.ceil(bytes.length / 5)).fill(5) }) as unknown[];
    expect(lines.filter(({ bits }, index) => bitsOf(values[index]) !== bits)).toEqual([]);
  });
});
