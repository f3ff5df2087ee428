import { expect, test } from 'vitest';
import { JsonReader } from '../../../../../core/formats/json/reader.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { ObjectSink } from '../../../../../core/sinks/objects/objects.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import fc from '../../../../setup/properties/property.ts';
import { textAtOnce, textInSlices } from './run-slices.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Keys that objects treat specially, and texts that look like item ends. */
const key = fc.oneof(fc.constantFrom('id', 'a', '__proto__', 'constructor', '1', '0', '', '},{"id":', ':'), fc.string());
const text = fc.oneof(fc.constantFrom('},{"id":1', '],[', '","', ',', '\\', '\\"', '{', '"', '\ud800', 'é😀'), fc.string({ unit: 'binary' }));
const scalar = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), text, fc.constantFrom(null, true, false));

/** Text with random white space and duplicate keys. */
const { json } = fc.letrec<{ json: string; value: string; list: string; rows: string; object: string }>((tie) => {
  const space = fc.constantFrom('', '', '', ' ', '\n  ', '\t\r\n');
  const join = (open: string, parts: string[], spaces: string, close: string): string =>
    open + spaces + parts.join(`${spaces},${spaces}`) + spaces + close;
  const member = fc.tuple(key, space, tie('value')).map(([name, white, value]) => `${JSON.stringify(name)}${white}:${white}${value}`);
  const record = fc.tuple(fc.integer(), tie('value')).map(([id, value]) => `{"id":${id},"v":${value}}`);
  return {
    json: fc.tuple(space, tie('value'), space).map((parts) => parts.join('')),
    value: fc.oneof(
      { maxDepth: 5, depthSize: 'small' },
      scalar.map((value) => JSON.stringify(value)),
      tie('list'),
      tie('object'),
      tie('rows'),
    ),
    list: fc.tuple(fc.array(tie('value'), { maxLength: 12 }), space).map(([items, white]) => join('[', items, white, ']')),
    rows: fc.tuple(fc.array(record, { maxLength: 12 }), space).map(([items, white]) => join('[', items, white, ']')),
    object: fc.tuple(fc.array(member, { maxLength: 8 }), space).map(([members, white]) => join('{', members, white, '}')),
  };
});

const cuts = { chunk: fc.integer({ min: 1, max: 200 }), piece: fc.integer({ min: 1, max: 120 }) };

test('matches JSON.parse for any document, in pieces and chunks of any size', async () => {
  await fc.assert(
    fc.asyncProperty(json, cuts.chunk, cuts.piece, async (document, chunk, piece) => {
      expect(await textInSlices(document, { chunk, piece })).toBe(textAtOnce(document));
      expect(await textInSlices(document, { piece })).toBe(textAtOnce(document));
    }),
    { numRuns: 400 },
  );
});

/** Bytes that change the meaning of a text. */
const bad = fc.constantFrom(...Array.from('[]{},:"\\ \n0-e.tn', (character) => character.charCodeAt(0)), 0xff, 0xef, 0);

const RUNS = 1_000;

test('rejects the same damaged texts as JSON.parse, and otherwise returns the same value', async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      json,
      fc.array(fc.tuple(fc.nat(), fc.nat(2), bad), { minLength: 1, maxLength: 3 }),
      cuts.chunk,
      cuts.piece,
      async (document, changes, chunk, piece) => {
        const bytes = [...encoder.encode(document)];
        for (const [place, kind, byte] of changes) bytes.splice(place % (bytes.length + 1), kind === 0 ? 0 : 1, ...(kind === 2 ? [] : [byte]));
        const broken = Uint8Array.from(bytes);
        let expected = 'not plain';
        try {
          expected = textAtOnce(decoder.decode(broken).replace(/^\uFEFF/, ''));
        } catch {
          // Not UTF-8.
        }
        if (expected === 'not plain') refused += 1;
        expect(await textInSlices(broken, { chunk, piece })).toBe(expected);
      },
    ),
    { numRuns: RUNS },
  );
  expect(refused).toBeGreaterThan(caseCount(RUNS) / 5);
});

/** Nested lists of numbers, and lists that almost are. */
const { lists } = fc.letrec<{ lists: string; list: string; item: string }>((tie) => {
  const space = fc.constantFrom('', '', '', ' ', '\n  ');
  const number = fc.oneof(
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  );
  const odd = fc.constantFrom('-0', '0.0', '-0.0', '00', '1.', '-', 'null', '"1"', '{}', '[', ']', '', '.5', '1e', '9007199254740993', '0.1e-7');
  return {
    lists: tie('list'),
    list: fc.tuple(fc.array(tie('item'), { maxLength: 8 }), space).map(([items, white]) => `[${white}${items.join(`${white},${white}`)}${white}]`),
    item: fc.oneof({ maxDepth: 4 }, { arbitrary: number, weight: 40 }, { arbitrary: odd, weight: 1 }, { arbitrary: tie('list'), weight: 20 }),
  };
});

test('matches JSON.parse for lists of numbers, including errors', async () => {
  await fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 1, max: 60 }), cuts.chunk, cuts.piece, async (list, times, chunk, piece) => {
      for (const document of [`[${`${list},`.repeat(times)}1]`, `{"a":${list},"b":[${`${list},`.repeat(times)}2]}`]) {
        expect(await textInSlices(document, { chunk, piece })).toBe(textAtOnce(document));
        expect(await textInSlices(document, { piece: piece * 20 })).toBe(textAtOnce(document));
      }
    }),
    { numRuns: 400 },
  );
});

/** Result of the library's reader for a sequence. */
function readSequence(bytes: Uint8Array): string {
  const sink = new ObjectSink();
  try {
    new JsonReader(sink, { sequence: true }, resolveLimits()).end(bytes);
    return JSON.stringify(sink.result);
  } catch {
    return 'not plain';
  }
}

test('matches the JSON reader for a sequence with any separators', async () => {
  const between = fc.constantFrom('\n', '\n', '\n', '\r\n', ' ', '\n\n', '\u001e', '\n\u001e', '', '\u00a0', ',');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(json, between), { minLength: 1, maxLength: 12 }), cuts.chunk, cuts.piece, async (values, chunk, piece) => {
      const bytes = encoder.encode(values.flat().join(''));
      expect(await textInSlices(bytes, { chunk, piece, sequence: true })).toBe(readSequence(bytes));
    }),
    { numRuns: 400 },
  );
});
