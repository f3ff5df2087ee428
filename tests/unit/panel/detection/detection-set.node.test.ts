import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { detectFormat } from '../../../../devtools-extension/reading/detect/detect-format.ts';
import type { Detection } from '../../../../devtools-extension/reading/protocol.ts';
import { unwrap } from '../../../../devtools-extension/reading/framings/unwrap.ts';
import { type FormatId, FORMATS } from '../../../../core/formats/registry.ts';
import { type Labelled, labelledPayloads } from './labelled.ts';

/** From this on the panel shows a guess as one that is sure. */
const SURE = 0.9;
/** Of whose bare values the bytes do not tell. */
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

test('the set has payloads of every format, and others', () => {
  expect(all.length).toBeGreaterThanOrEqual(350);
  for (const id of [...IDS, 'none']) expect(all.filter(({ label }) => label === id).length, id).toBeGreaterThanOrEqual(18);
});

describe('without a Content-Type', () => {
  test('at most one in a hundred is taken for something else, and none of these surely', () => {
    const wrong = told.filter(isWrong);
    expect(wrong.length, wrong.map(name).join('\n')).toBeLessThanOrEqual(all.length * 0.01);
    expect(wrong.filter(({ found }) => found.confidence >= SURE).map(name)).toEqual([]);
  });

  test('a payload that describes itself is told, and for sure', () => {
    const missed = told.filter(
      ({ item, found }) => ['json', 'messagepack', 'cbor', 'bson', 'sia'].includes(item.label) && found.format !== item.label,
    );
    expect(missed.map(name)).toEqual([]);
    const sure = told.filter(({ item, found }) => ['json', 'bson'].includes(item.label) && found.confidence < SURE);
    expect(sure.map(name)).toEqual([]);
  });

  test('a payload that only a schema tells is not guessed, and the reason says so', () => {
    for (const { item, found } of told) {
      if (!UNTOLD.includes(item.label as FormatId) || found.format === item.label) continue;
      expect(found.format, item.name).toBeUndefined();
      expect(found.reasons.join(), item.name).toContain('Content-Type or a schema alone');
    }
  });

  test('a payload of a format that needs a schema is told for sure by a magic number alone', () => {
    const sure = told.filter(
      ({ item: { label }, found }) => ['protobuf', 'flatbuffers', 'capnproto', ...UNTOLD].includes(label) && found.confidence >= SURE,
    );
    expect(sure.map(name).filter((text) => !/a container|an empty container|gRPC-web/.test(text))).toEqual([]);
  });

  test('bytes that are no data of a format are not claimed', () => {
    expect(told.filter(({ item, found }) => item.label === 'none' && found.format !== undefined).map(name)).toEqual([]);
  });
});

describe('with the Content-Type', () => {
  test('everything is told for sure', () => {
    expect(declared.filter(({ item, found }) => (found.format ?? 'none') !== item.label).map(name)).toEqual([]);
    expect(declared.filter(({ item, found }) => item.label !== 'none' && found.confidence < SURE).map(name)).toEqual([]);
  });

  test('the bytes tell what they would without where it says nothing', async () => {
    for (const { item, found } of told) expect((await detect(item, 'application/octet-stream')).found.format, item.name).toBe(found.format);
  });
});

describe('framing', () => {
  test('is taken off and named', async () => {
    for (const item of all) expect((await unwrap(item.bytes, { contentType: '' })).wrappings.join(), item.name).toBe(item.wrapped ?? '');
  });

  test('several values in a row are told from one', () => {
    const differing = told.filter(({ item, found }) => found.format !== undefined && found.sequence !== (item.sequence ?? false));
    expect(differing.map(name)).toEqual([]);
  });
});

test('the guide shows what is taken for what', async () => {
  const guide = await readFile(new URL('../../../../docs/guides/devtools-panel.md', import.meta.url), 'utf8');
  expect(guide).toContain(table());
});

/** How many of each are told, and how surely. */
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
