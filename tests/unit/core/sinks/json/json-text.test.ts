import { describe, expect, test } from 'vitest';
import { JsonTextSink } from '../../../../../core/sinks/json/text.ts';
import type { JsonTextOptions } from '../../../../../core/sinks/json/values.ts';
import type { ReviveTag } from '../../../../../core/reading/revive.ts';
import { emit } from '../../../../setup/values/emit.ts';
import fc from '../../../../setup/properties/property.ts';

/** JSON text of a value; undefined if it has none. */
function write(value: unknown, options?: JsonTextOptions, revive?: ReviveTag): string {
  const sink = new JsonTextSink(revive, options);
  emit(sink, value);
  return text(sink);
}

function text(sink: JsonTextSink): string {
  return new TextDecoder().decode(sink.take());
}

describe('JSON text', () => {
  test('matches JSON.stringify for any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(write(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  test.each([
    [[Number.NaN, Infinity, -Infinity, -0]],
    [{ a: undefined, b: 1, c: undefined }],
    [{ a: { b: undefined }, c: [undefined] }],
    [[new Date(0), new Date(Number.NaN)]],
    ['\u0000\u001f\b\t\n\f\r"\\/\u007f\u2028 é 漢 😀'],
    ['lone \ud800 surrogate'],
    [{ __proto__: null, 'a"b': 1, é: 2 }],
    [[[[]], {}, [{}]]],
    [[/x/g, new Error('no')]],
  ])('matches JSON.stringify for %j', (value) => {
    expect(write(value)).toBe(JSON.stringify(value));
  });
});

describe('JSON text of values that JSON lacks', () => {
  test('contains binary values as base64', () => {
    const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => index);
    expect(JSON.parse(write({ bytes }))).toEqual({ bytes: btoa(String.fromCharCode(...bytes)) });
    expect(write(new Uint16Array([1, 2]))).toBe('"AQACAA=="');
  });

  test('contains sets as lists and maps as objects', () => {
    expect(
      write([
        new Set([1, new Set()]),
        new Map<unknown, unknown>([
          [1, 'a'],
          ['b', new Map()],
        ]),
      ]),
    ).toBe('[[1,[]],{"1":"a","b":{}}]');
  });

  test('contains integers of any size', () => {
    const value = { large: 2n ** 70n, map: new Map([['inner', -(2n ** 64n)]]) };
    expect(write(value)).toBe(`{"large":${2n ** 70n},"map":{"inner":${-(2n ** 64n)}}}`);
    expect(write(value, { bigints: 'string' })).toBe(`{"large":"${2n ** 70n}","map":{"inner":"${-(2n ** 64n)}"}}`);
  });

  test('repeats shared values', () => {
    const shared = { a: [1] };
    expect(write({ first: shared, list: [shared, { shared }], last: true })).toBe(
      '{"first":{"a":[1]},"list":[{"a":[1]},{"shared":{"a":[1]}}],"last":true}',
    );
  });

  test('rejects cycles and maps with objects as keys', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    expect(() => write({ cycle })).toThrow('a value that contains itself cannot be written as JSON');
    expect(() => write(new Map([[{}, 1]]))).toThrow('cannot be written as JSON');
  });
});

test('the JSON text contains records written field by field', () => {
  const sink = new JsonTextSink();
  const record = sink.defineRecord(['a', 'b"', 'c']);
  sink.beginArray(-1);
  for (const fields of [[0, 1, 2], [1], []]) {
    sink.beginRecord(record);
    for (const field of fields) {
      sink.field(field, 0);
      sink.integer(field);
    }
    sink.endRecord();
  }
  sink.endArray();
  expect(text(sink)).toBe('[{"a":0,"b\\"":1,"c":2},{"b\\"":1},{}]');
});

test('the JSON text is emitted in pieces, without keys whose value may turn out undefined', () => {
  const sink = new JsonTextSink();
  sink.beginObject();
  sink.keyText('a');
  sink.integer(1);
  sink.keyText('b');
  expect(text(sink)).toBe('{"a":1');
  expect(sink.take()).toBeUndefined();
  sink.undefined();
  sink.keyText('c');
  sink.beginArray(-1);
  expect(text(sink)).toBe(',"c":[');
  sink.endArray();
  sink.endObject();
  expect(text(sink)).toBe(']}');
});

test('the JSON text ends with an error that locates invalid UTF-8', () => {
  const sink = new JsonTextSink();
  const bytes = Uint8Array.of(0x61, 0xff);
  sink.window(bytes, new DataView(bytes.buffer), 100);
  sink.beginObject();
  sink.keyText('list');
  sink.beginArray(-1);
  sink.null();
  expect(() => sink.string(0, 0, 2)).toThrow('a string is not valid UTF-8');
  expect(sink.path()).toEqual(['list', 1]);
});
