import { beforeAll, describe, expect, test } from 'vitest';
import { OpenBody } from '../../../../devtools-extension/panel/body/open-body.ts';
import { detectFormat } from '../../../../devtools-extension/reading/detect/detect-format.ts';
import { readFramed } from '../../../../devtools-extension/reading/framings/framed-tree.ts';
import { unwrap } from '../../../../devtools-extension/reading/framings/unwrap.ts';
import { exportValue } from '../../../../devtools-extension/values/value.ts';
import { buildServerComponents } from '../../../setup/panel/server-components.node.ts';
import { namesOf } from '../read.ts';
import { checkTree, ownBytes } from '../values/tree-rules.ts';

const TYPE = 'text/x-component';
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

async function open(bytes: Uint8Array, contentType = TYPE, url = ''): Promise<OpenBody> {
  const { bytes: body, content, framing, wrappings } = await unwrap(bytes, { contentType, url });
  if (!framing) throw new Error('There are no rows');
  const detection = await detectFormat(content, contentType, true, wrappings, framing.format);
  const reading = await readFramed(body, framing, { format: detection.format! });
  checkTree(reading.data);
  expect(ownBytes(reading.data)).toBe(body.length);
  return new OpenBody({ detection, bytes: body, content, isPart: false, ...reading }, { lossy: false, received: body.length, schema: undefined });
}

interface Row {
  id?: string;
  tag?: string;
  size?: number;
  value?: unknown;
}
const rowsOf = ({ tree }: OpenBody): Row[] => exportValue(tree!, tree!.root) as Row[];
const typesOf = (body: OpenBody): string[] => namesOf(body).flatMap((name) => /^\d+: (.*)/.exec(name)?.[1] ?? []);

describe('a payload of React Server Components', () => {
  let rendered: Uint8Array;

  beforeAll(async () => {
    const render = await buildServerComponents();
    rendered = new Uint8Array(await new Response(render(7)).arrayBuffer());
  });

  test('has its rows with their ids, kinds and values, as React writes it', async () => {
    const body = await open(rendered);
    expect(body.error).toBeUndefined();
    expect(body.detection).toMatchObject({ format: 'json', wrappings: ['React Server Components'] });
    const rows = rowsOf(body);
    const types = typesOf(body);
    const rowOf = (type: string): Row => rows[types.indexOf(type)]!;
    expect(new Set(types)).toEqual(new Set(['model', 'client module', 'hint preload', 'text', 'Uint8Array']));
    expect(rows.find(({ id }) => id === '0')!.value).toEqual(['$', 'main', null, expect.objectContaining({ id: 'bike' })]);
    expect(rowOf('client module').value).toEqual(['./counter.js', [], 'Counter']);
    expect(rowOf('hint preload')).toEqual({ tag: 'HL', value: ['/bike.woff2', 'font', { crossOrigin: '' }] });
    expect(rowOf('text').value).toBe('Größe: '.repeat(300));
    expect(rowOf('text').size).toBe(utf8('Größe: '.repeat(300)).length);
    expect(namesOf(body)).toContain(`${rows.indexOf(rowOf('Uint8Array'))}.value: bytes`);
    expect(rowOf('Uint8Array')).toMatchObject({ size: 3, value: { $base64: 'AQID' } });
  });

  test('is read up to where it was cut', async () => {
    for (let size = 1; size < rendered.length; size += 7) {
      const part = rendered.subarray(0, size);
      const { framing } = await unwrap(part, { contentType: TYPE });
      if (framing) await open(part);
    }
  });
});

describe('rows of server components', () => {
  test.each([
    ['0:{"a":1}\n', ['model'], [{ id: '0', value: { a: 1 } }]],
    ['1:E{"digest":"7"}\n', ['error'], [{ id: '1', tag: 'E', value: { digest: '7' } }]],
    [
      'a:X\na:[1]\na:C\n',
      ['async iterable', 'model', 'end of stream'],
      [
        { id: 'a', tag: 'X' },
        { id: 'a', value: [1] },
        { id: 'a', tag: 'C' },
      ],
    ],
    [
      '1:T2,ab2:"c"\n',
      ['text', 'model'],
      [
        { id: '1', tag: 'T', size: 2, value: 'ab' },
        { id: '2', value: 'c' },
      ],
    ],
    [
      ':HC"/a"\n:N1\n',
      ['hint preconnect', 'time origin'],
      [
        { tag: 'HC', value: '/a' },
        { tag: 'N', value: 1 },
      ],
    ],
    ['0:"$L1"', ['model'], [{ id: '0', value: '$L1' }]],
  ])('%j are of the kinds %j', async (text, types, rows) => {
    const body = await open(utf8(text));
    expect(typesOf(body)).toEqual(types);
    expect(rowsOf(body)).toEqual(rows);
  });

  test.each([
    ['text/plain', 'https://a.test/docs/index.txt?_rsc=1a2b3', true],
    ['text/plain; charset=utf-8', 'https://a.test/docs.rsc', true],
    ['text/plain', 'https://a.test/docs/index.txt', false],
    ['text/html', 'https://a.test/docs?_rsc=1a2b3', false],
  ])('are looked for in %s from %s: %s', async (contentType, url, isLookedFor) => {
    const { framing } = await unwrap(utf8('0:{"a":1}\n'), { contentType, url });
    expect(framing !== undefined).toBe(isLookedFor);
  });

  test.each(['<!doctype html>', 'x:1\n', '1:Tz,a', '1:T2', 'abcdef012:1\n', ''])('are not in %j', async (text) => {
    expect((await unwrap(utf8(text), { contentType: TYPE })).framing).toBeUndefined();
  });
});
