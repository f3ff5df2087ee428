import { excessOf } from '../../setup/work/work.ts';
import { expect, test } from 'vitest';
import { loadFormat } from '../../../core/formats/loaders.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import { list } from './shapes.ts';

/** Schema of a given size, as the input of `compileSchema`. */
interface Case {
  language: string;
  format: FormatId;
  name: string;
  size: number;
  make: (size: number) => unknown;
}

const proto = (name: string, size: number, make: (size: number) => string): Case => ({
  language: 'proto',
  format: 'protobuf',
  name,
  size,
  make: (length) => ({ proto: `syntax = "proto3"; ${make(length)}`, message: 'M0' }),
});
const bop = (name: string, size: number, make: (size: number) => string): Case => ({
  language: 'bop',
  format: 'bebop',
  name,
  size,
  make: (length) => ({ bop: make(length), record: 'R0' }),
});
const avro = (name: string, size: number, make: (size: number) => unknown): Case => ({
  language: 'Avro',
  format: 'avro',
  name,
  size,
  make: (length) => JSON.stringify(make(length)),
});
const pair = (name: string, size: number, make: (size: number) => unknown): Case => ({
  language: 'pairs of Avro',
  format: 'avro',
  name,
  size,
  make: (length) => ({ writer: make(length), reader: make(length) }),
});
const literal = (name: string, size: number, make: (size: number) => unknown): Case => ({
  language: 'js-binary',
  format: 'jsbinary',
  name,
  size,
  make,
});

const fields = (size: number): object[] => list(size, (at) => ({ name: `f${at}`, type: at % 2 ? 'int' : 'string', default: at % 2 ? 1 : 'x' }));
const record = (name: string, inner: object[]): object => ({ type: 'record', name, fields: inner });
const avroNested = (size: number): object =>
  list(size, (at) => at).reduceRight<object>(
    (type, at) =>
      record(`R${at}`, [
        { name: 'inner', type },
        { name: 'x', type: 'int' },
      ]),
    record('Last', []),
  );
const AVRO: readonly [string, number, (size: number) => unknown][] = [
  ['many fields', 300, (size) => record('R', fields(size))],
  [
    'many types',
    100,
    (size) =>
      record(
        'R',
        list(size, (at) => ({ name: `f${at}`, type: record(`T${at}`, fields(2)) })),
      ),
  ],
  [
    'many references',
    300,
    (size) => record('R', [{ name: 'a', type: record('T', fields(3)) }, ...list(size, (at) => ({ name: `f${at}`, type: 'T' }))]),
  ],
  ['nested records', 8, avroNested],
  ['an enum of many symbols', 500, (size) => ({ type: 'enum', name: 'E', symbols: list(size, (at) => `S${at}`) })],
  ['a wide union', 200, (size) => list(size, (at) => record(`T${at}`, fields(1)))],
  ['many aliases', 300, (size) => ({ ...record('R', fields(1)), aliases: list(size, (at) => `A${at}`) })],
  ['long names', 100, (size) => record('n'.repeat(size), [{ name: 'm'.repeat(size), type: 'int' }])],
  ['a long doc', 20_000, (size) => ({ ...record('R', fields(1)), doc: 'd '.repeat(size) })],
];

const CASES: readonly Case[] = [
  proto('many fields', 300, (size) => `message M0 { ${list(size, (at) => `int32 f${at} = ${at + 1};`).join('\n')} }`),
  proto('many messages', 150, (size) => list(size, (at) => `message M${at} { string a = 1; }`).join('\n')),
  proto('a chain of messages', 150, (size) => list(size, (at) => `message M${at} { M${(at + 1) % size} next = 1; }`).join('\n')),
  proto('many references', 300, (size) => `message T { int32 x = 1; } message M0 { ${list(size, (at) => `T f${at} = ${at + 1};`).join('\n')} }`),
  proto('nested messages', 12, (size) => `message M0 { ${list(size, (at) => `message N${at} { int32 x = 1;`).join(' ')} ${'}'.repeat(size)} }`),
  proto('an enum of many values', 400, (size) => `message M0 { E e = 1; } enum E { ${list(size, (at) => `V${at} = ${at};`).join('\n')} }`),
  proto('a oneof of many fields', 300, (size) => `message M0 { oneof o { ${list(size, (at) => `int32 f${at} = ${at + 1};`).join('\n')} } }`),
  proto('many reserved ranges', 200, (size) => `message M0 { reserved ${list(size, (at) => `${3 * at + 10} to ${3 * at + 11}`).join(', ')}; }`),
  proto('maps', 200, (size) => `message M0 { ${list(size, (at) => `map<string, int32> f${at} = ${at + 1};`).join('\n')} }`),
  proto('long comments', 20_000, (size) => `/* ${'* / '.repeat(size)} */ // ${'x'.repeat(size)}\n message M0 { int32 x = 1; }`),
  proto('long names', 5000, (size) => `message M0 { int32 ${'n'.repeat(size)} = 1; }`),
  proto('long strings', 5000, (size) => `option java_package = "${'s\\n'.repeat(size)}"; message M0 { int32 x = 1; }`),
  proto('string parts', 1000, (size) => `option java_package = ${'"s" '.repeat(size)}; message M0 { int32 x = 1; }`),
  bop('many fields', 300, (size) => `struct R0 { ${list(size, (at) => `int32 f${at};`).join('\n')} }`),
  bop('many structs', 150, (size) => list(size, (at) => `struct R${at} { string a; }`).join('\n')),
  bop('a chain of messages', 150, (size) => list(size, (at) => `message R${at} { 1 -> R${(at + 1) % size} next; }`).join('\n')),
  bop('a chain of structs', 60, (size) => list(size, (at) => `struct R${at} { ${at + 1 < size ? `R${at + 1} next;` : 'int32 x;'} }`).join('\n')),
  bop('an enum of many values', 400, (size) => `enum E { ${list(size, (at) => `V${at} = ${at};`).join('\n')} } struct R0 { E e; }`),
  bop('nested arrays', 1, (size) => `struct R0 { int32${'[]'.repeat(size)} a; }`),
  bop('long comments', 20_000, (size) => `/* ${'* / '.repeat(size)} */ // ${'x'.repeat(size)}\n struct R0 { int32 x; }`),
  bop('long names', 5000, (size) => `struct R0 { int32 ${'n'.repeat(size)}; }`),
  ...AVRO.map((given) => avro(...given)),
  ...AVRO.map((given) => pair(...given)),
  literal('many fields', 300, (size) => Object.fromEntries(list(size, (at) => [`f${at}`, 'int']))),
  literal('nested types', 25, (size) => list(size, (at) => at).reduce<unknown>((inner) => ({ a: inner, b: 'int' }), 'int')),
  literal('lists in lists', 25, (size) => list(size, (at) => at).reduce<unknown>((inner) => [inner], 'int')),
  literal('many types', 150, (size) => Object.fromEntries(list(size, (at) => [`f${at}`, { a: 'int', 'b?': ['string'] }]))),
];

test.each(CASES)(
  'compiling a $language schema takes at most three times the work for twice the length: $name',
  async ({ format: id, make, size }) => {
    const format = await loadFormat(id);
    const excess = await excessOf((length) => {
      const schema = make(length);
      return () => format.compileSchema!(schema);
    }, size);
    expect(excess).toEqual([]);
  },
);
