import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { detectFormat } from '../../../../devtools-extension/reading/detect/detect-format.ts';
import type { Detection } from '../../../../devtools-extension/reading/protocol.ts';
import { unwrap } from '../../../../devtools-extension/reading/framings/unwrap.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';
import { FORMATS } from '../../../../core/formats/registry.ts';
import { type Labelled, labelledPayloads } from './labelled.ts';

/** Confidence from which the panel shows a guess as certain. */
const SURE = 0.9;
/** Formats whose plain values cannot be detected from their bytes. */
const UNTOLD: readonly FormatId[] = ['avro', 'bebop', 'jsbinary'];
const IDS: readonly FormatId[] = FORMATS.map(({ id }) => id);

let all: Labelled[];
let told: { item: Labelled; found: Detection }[];
let declared: { item: Labelled; found: Detection }[];

async function detect(item: Labelled, type: string): Promise<{ item: Labelled; found: Detection }> {
  const { content, wrappings } = await unwrap(item.bytes, { contentType: type });
  return { item, found: await detectFormat(content, type, true, wrappings) };
}

beforeAll(async () => {
  all = await labelledPayloads();
  told = [];
  declared = [];
  for (const item of all) {
    told.push(await detect(item, ''));
    declared.push(await detect(item, item.type));
  }
});

const isWrong = ({ item, found }: { item: Labelled; found: Detection }): boolean => found.format !== undefined && found.format !== item.label;
const name = ({ item, found }: { item: Labelled; found: Detection }): string =>
  `${item.name}: ${found.format} (${found.confidence.toFixed(2)}, ${found.reasons.join('; ')})`;

test('the set contains payloads of every format, and others', () => {
  expect(all.length).toBeGreaterThanOrEqual(350);
  for (const id of [...IDS, 'none']) expect(all.filter(({ label }) => label === id).length, id).toBeGreaterThanOrEqual(18);
});

describe('detection without a Content-Type', () => {
  test('mistakes at most one payload in a hundred for another format, and none with certainty', () => {
    const wrong = told.filter(isWrong);
    expect(wrong.length, wrong.map(name).join('\n')).toBeLessThanOrEqual(all.length * 0.01);
    expect(wrong.filter(({ found }) => found.confidence >= SURE).map(name)).toEqual([]);
  });

  test('identifies self-describing payloads with certainty', () => {
    const missed = told.filter(
      ({ item, found }) => ['json', 'messagepack', 'cbor', 'bson', 'sia'].includes(item.label) && found.format !== item.label,
    );
    expect(missed.map(name)).toEqual([]);
    const sure = told.filter(({ item, found }) => ['json', 'bson'].includes(item.label) && found.confidence < SURE);
    expect(sure.map(name)).toEqual([]);
  });

  test('leaves formats unnamed that need a schema to be recognised, and gives this reason', () => {
    for (const { item, found } of told) {
      if (!UNTOLD.includes(item.label as FormatId) || found.format === item.label) continue;
      expect(found.format, item.name).toBeUndefined();
      expect(found.reasons.join(), item.name).toContain('need a Content-Type or a schema');
    }
  });

  test('identifies formats that need a schema with certainty only by a magic number', () => {
    const sure = told.filter(
      ({ item: { label }, found }) => ['protobuf', 'flatbuffers', 'capnproto', ...UNTOLD].includes(label) && found.confidence >= SURE,
    );
    expect(sure.map(name).filter((text) => !/a container|an empty container|gRPC-web/.test(text))).toEqual([]);
  });

  test('leaves bytes of no known format unnamed', () => {
    expect(told.filter(({ item, found }) => item.label === 'none' && found.format !== undefined).map(name)).toEqual([]);
  });
});

describe('detection with a Content-Type', () => {
  test('identifies everything with certainty', () => {
    expect(declared.filter(({ item, found }) => (found.format ?? 'none') !== item.label).map(name)).toEqual([]);
    expect(declared.filter(({ item, found }) => item.label !== 'none' && found.confidence < SURE).map(name)).toEqual([]);
  });

  test('ignores a type that says nothing', async () => {
    for (const { item, found } of told) expect((await detect(item, 'application/octet-stream')).found.format, item.name).toBe(found.format);
  });
});

describe('unwrap', () => {
  test('removes and names the framing', async () => {
    for (const item of all) expect((await unwrap(item.bytes, { contentType: '' })).wrappings.join(), item.name).toBe(item.wrapped ?? '');
  });

  test('distinguishes several consecutive values from a single one', () => {
    const differing = told.filter(({ item, found }) => found.format !== undefined && found.sequence !== (item.sequence ?? false));
    expect(differing.map(name)).toEqual([]);
  });
});

test('the guide contains the detection results', async () => {
  const guide = await readFile(new URL('../../../../docs/guides/devtools-panel.md', import.meta.url), 'utf8');
  expect(guide).toContain(table());
});

/** Number of payloads identified per format, by confidence. */
function table(): string {
  const rows = [...IDS, 'none'].map((id) => {
    const own = told.filter(({ item }) => item.label === id);
    const right = own.filter(({ found }) => id !== 'none' && found.format === id);
    const left = own.filter(({ found }) => found.format === undefined);
    const sure = right.filter(({ found }) => found.confidence >= SURE);
    return `| ${id === 'none' ? 'none of these' : id} | ${own.length} | ${right.length} | ${sure.length} | ${left.length} | ${own.filter(isWrong).length} |`;
  });
  return ['| payloads of | total | detected | with certainty | left open | wrong |', '|---|--:|--:|--:|--:|--:|', ...rows].join('\n');
}
