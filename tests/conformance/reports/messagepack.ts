import { Packr } from 'msgpackr';
import { MessagePackExtension } from '../../../core/formats/messagepack/index.ts';
import type { Report } from './report.ts';

/** Lists of records with many shapes, by msgpackr with shared structures. */
const shapes = (count: number): object[] => Array.from({ length: count }, (_, index) => ({ [`a${index}`]: index, [`b${index}`]: index + 1 }));

function sharing(count: number, options: object): Report & { read: 'messagepack' } {
  const structures: string[][] = [];
  const packr = new Packr({ ...options, structures });
  const bytes = packr.pack(shapes(count));
  return {
    report: '',
    was: '',
    read: 'messagepack',
    hex: () => Uint8Array.from(bytes),
    options: { structures: structures.map((keys) => [...keys]) },
    gives: shapes(count),
  };
}

const packed = (value: unknown, options: object) => (): Uint8Array => Uint8Array.from(new Packr(options).pack(value));

const chinese = Array.from({ length: 10_000 }, () => ({ message: '你好你好你好你好你好你好你好你好你好' }));
const links = Array.from({ length: 10_001 }, () => ({ url: 'https://www.example.com/' }));

class Tags extends Set<number> {
  toJSON(): number[] {
    return [...this];
  }
}

const once = {};

export const MESSAGEPACK: readonly Report[] = [
  {
    report: 'kriszyp/msgpackr#62',
    was: 'Random bytes after a first integer',
    read: 'messagepack',
    hex: 'e36df8db7e6b7dab1d7dab1d',
    rejects: 'trailing-bytes',
  },
  {
    report: 'kriszyp/msgpackr#81',
    was: 'Bundled strings with structured clones are not read back',
    read: 'messagepack',
    hex: packed({ aaaa: once, b: once }, { structuredClone: true, bundleStrings: true }),
    gives: { aaaa: once, b: once },
  },
  {
    report: 'kriszyp/msgpackr#82',
    was: 'Bundled strings of a long list become empty',
    read: 'messagepack',
    hex: packed(links, { bundleStrings: true }),
    gives: links,
  },
  {
    report: 'kriszyp/msgpackr#98',
    was: 'Bundled Chinese text of a long list is not read back',
    read: 'messagepack',
    hex: packed(chinese, { bundleStrings: true }),
    gives: chinese,
  },
  {
    report: 'kriszyp/msgpackr#72',
    was: 'Bundled strings of a value without strings are not read back',
    read: 'messagepack',
    hex: packed({ a: 100, abc: 20 }, { bundleStrings: true }),
    gives: { a: 100, abc: 20 },
  },
  {
    report: 'kriszyp/msgpackr#72',
    was: 'The same of an object without keys',
    read: 'messagepack',
    hex: packed({}, { bundleStrings: true }),
    gives: {},
  },
  {
    report: 'kriszyp/msgpackr#84',
    was: 'Several values with bundled strings never end',
    read: 'messagepack',
    hex: () => Uint8Array.from([1, 2].flatMap(() => [...new Packr({ bundleStrings: true }).pack({ data: 42 })])),
    options: { sequence: true },
    gives: [{ data: 42 }, { data: 42 }],
  },
  {
    report: 'kriszyp/msgpackr#95',
    was: 'A structured clone of a Set becomes an array',
    write: 'messagepack',
    value: { a: new Set([1]) },
    back: { a: new Set([1]) },
  },
  {
    report: 'kriszyp/msgpackr#159',
    was: 'The key `__proto__` becomes `__proto_`',
    write: 'messagepack',
    value: JSON.parse('{"__proto__":1,"a":2}'),
    back: JSON.parse('{"__proto__":1,"a":2}'),
  },
  { report: 'kriszyp/msgpackr#159', was: '−0 becomes 0', write: 'messagepack', value: [-0], back: [-0] },
  {
    report: 'kriszyp/msgpackr#123',
    was: '`toJSON` of a subclass of Set is ignored',
    write: 'messagepack',
    value: new Tags([1, 2]),
    back: new Set([1, 2]),
    note: 'a Set: built-in classes and those that extend them keep their form',
  },
  {
    report: 'kriszyp/msgpackr#48',
    was: 'An invalid Date ends in a RangeError',
    write: 'messagepack',
    value: { at: new Date(NaN) },
    back: { at: new Date(NaN) },
  },
  {
    report: 'kriszyp/msgpackr#69',
    was: 'Records of given structures are not read',
    read: 'messagepack',
    hex: '92 40 01 02 41 03 04',
    options: {
      structures: [
        ['m', 'e'],
        ['action', 'share'],
      ],
    },
    gives: [
      { m: 1, e: 2 },
      { action: 3, share: 4 },
    ],
  },
  { ...sharing(100, { maxSharedStructures: 100 }), report: 'kriszyp/msgpackr#33', was: 'More than 32 shared structures' },
  {
    ...sharing(300, { maxOwnStructures: 256 }),
    report: 'kriszyp/msgpackr#189',
    was: 'Records beyond the shared structures, with ids of two bytes, are not read',
  },
  {
    report: 'kawanet/msgpack-lite#27',
    was: 'A 64-bit integer is not read',
    read: 'messagepack',
    hex: '81 a1 78 d3 0000000000000000',
    gives: { x: 0 },
  },
  {
    report: 'kawanet/msgpack-lite#55',
    was: 'Integers past 32 bits are written as floats',
    write: 'messagepack',
    value: [298080447363],
    bytes: '91 cf 0000004566faab83',
  },
  {
    report: 'kawanet/msgpack-lite#109',
    was: 'Integers of 32 bits are written as floats',
    write: 'messagepack',
    value: 4294967295,
    bytes: 'ce ffffffff',
  },
  {
    report: 'kawanet/msgpack-lite#67',
    was: 'The same number in two forms',
    read: 'messagepack',
    hex: '92 ce ffffffff cb 41efffffffe00000',
    gives: [4294967295, 4294967295],
  },
  {
    report: 'kawanet/msgpack-lite#87',
    was: 'Timestamps of 12 bytes are not read',
    read: 'messagepack',
    hex: 'c7 0c ff 0ee6b280 0000000000000001',
    gives: new Date(1250),
  },
  { report: 'allegro/node-worker-nodes#22', was: 'undefined becomes null', write: 'messagepack', value: { a: undefined }, back: { a: undefined } },
  {
    report: 'creationix/msgpack-js#18',
    was: 'undefined was written as the head of a binary',
    read: 'messagepack',
    hex: '82 a3666f6f c4 a5 68656c6c6f a5776f726c64',
    rejects: 'truncated',
  },
  {
    report: 'msgpack/msgpack-javascript#205',
    was: 'A long id loses its last digits',
    read: 'messagepack',
    hex: '81 a3 6e756d cf 013404c371025f14',
    gives: { num: 86699530287996692n },
  },
  {
    report: 'msgpack/msgpack-javascript#290',
    was: 'A bigint past 64 bits is cut',
    write: 'messagepack',
    value: [2n ** 64n + 1n, -(2n ** 100n)],
    back: [2n ** 64n + 1n, -(2n ** 100n)],
  },
  {
    report: 'msgpack/msgpack-javascript#290',
    was: 'A bigint past 64 bits is cut for other readers',
    write: 'messagepack',
    value: 2n ** 64n,
    options: { msgpackr: false },
    rejects: 'range',
  },
  {
    report: 'msgpack/msgpack-javascript#288',
    was: 'Keys such as `constructor` had to be refused',
    read: 'messagepack',
    hex: '82 ab636f6e7374727563746f72 01 a9 5f5f70726f746f5f5f 80',
    gives: JSON.parse('{"constructor":1,"__proto__":{}}'),
  },
  {
    report: 'msgpack/msgpack-javascript#147',
    was: 'Data that were cut end in a RangeError',
    read: 'messagepack',
    hex: 'dc0002 de0018 d9024556 cd0004 d90447535054 c0 d9025356',
    rejects: 'truncated',
  },
  {
    report: 'msgpack/msgpack-javascript#73',
    was: '−128 in another form than int 8',
    write: 'messagepack',
    value: [-128, -129],
    bytes: '92 d080 d1ff7f',
  },
  {
    report: 'msgpack/msgpack-javascript#152',
    was: 'Several values in one buffer are refused',
    read: 'messagepack',
    hex: '01 a161 c0',
    options: { sequence: true },
    gives: [1, 'a', null],
  },
  {
    report: 'mcollina/msgpack5#79',
    was: 'Timestamps that no Date can hold',
    read: 'messagepack',
    hex: 'c70cff 00000000 7fffffffffffffff',
    gives: new Date(NaN),
  },
  { report: 'darrachequesne/notepack#16', was: 'Characters of two bytes are damaged', read: 'messagepack', hex: 'a4 c3b6 df bf', gives: 'ö߿' },
  {
    report: 'darrachequesne/notepack#4',
    was: 'NaN and Infinity cannot be written',
    write: 'messagepack',
    value: [NaN, Infinity, -Infinity],
    back: [NaN, Infinity, -Infinity],
  },
  { report: 'pgriess/node-msgpack#17', was: '177347645375 loses its high bits', write: 'messagepack', value: 177347645375, back: 177347645375 },
  {
    report: 'ugorji/go#167',
    was: 'Maps with integers as keys are refused',
    read: 'messagepack',
    hex: '83 a7636f6d70616374 8113cca4 a87365676d656e7473 811301 a776657273696f6e 02',
    gives: { compact: { 19: 164 }, segments: { 19: 1 }, version: 2 },
  },
  {
    report: 'msgpack/msgpack-c#37',
    was: 'A bit of a 64-bit integer in an array is wrong',
    read: 'messagepack',
    hex: '92 00 d3 fff7ffffffffffff',
    gives: [0, -2251799813685249],
  },
  {
    report: 'vstakhov/libucl#368',
    was: 'Negative integers of one byte are wrong',
    read: 'messagepack',
    hex: '81 a161 93 ff e0 fe',
    gives: { a: [-1, -32, -2] },
  },
  {
    report: 'tarantool/tarantool#5014',
    was: 'An extension with too little content aborts the process',
    read: 'messagepack',
    hex: 'd4 03 00',
    gives: new MessagePackExtension(3, Uint8Array.of(0)),
  },
  { report: 'msgpack/msgpack-d#94', was: 'A damaged length takes all memory', read: 'messagepack', hex: 'dd ffffffff 01', rejects: 'values' },
  {
    report: 'msgpack/msgpack-c#58',
    was: 'A damaged array of arrays ends in a segmentation fault',
    read: 'messagepack',
    hex: '94 dd 7fffffff dd 7fffffff dd 7fffffff',
    rejects: 'values',
  },
  { report: 'msgpack/msgpack-python#449', was: 'A file that was cut', read: 'messagepack', hex: '92 81 a161', rejects: 'truncated' },
  {
    report: 'michael-yuji/YSMessagePack#1',
    was: 'Arrays of more than 15 items are read as several',
    read: 'messagepack',
    hex: `91 dc0014 ${'01'.repeat(20)}`,
    gives: [Array.from({ length: 20 }, () => 1)],
  },
  { report: 'kriszyp/msgpackr#195', was: 'Half a pair becomes three other characters', write: 'messagepack', value: 'hi \ud83d', rejects: 'text' },
  {
    report: 'ygoe/msgpack.js#31',
    was: 'Properties of the prototype are written',
    write: 'messagepack',
    value: Object.assign(Object.create({ inherited: 1 }) as object, { own: 2 }),
    bytes: '81 a36f776e 02',
  },
  {
    report: 'kriszyp/msgpackr#109',
    was: 'A chunk shorter than its first value makes the others wrong',
    read: 'messagepack',
    hex: `81 a161 da0040 ${'62'.repeat(64)} 81 a161 02`,
    options: { sequence: true },
    gives: [{ a: 'b'.repeat(64) }, { a: 2 }],
  },
  {
    report: 'msgpack/msgpack-javascript#89',
    was: 'Values in chunks that begin and end anywhere',
    read: 'messagepack',
    hex: '93 01 02 03 81 a161 cd1234 c0',
    options: { sequence: true },
    gives: [[1, 2, 3], { a: 0x1234 }, null],
  },
  {
    report: 'msgpack/msgpack-javascript#128',
    was: 'Bytes after a first value',
    read: 'messagepack',
    hex: '81 a161 01 ffd8ffe0',
    rejects: 'trailing-bytes',
  },
  {
    report: 'msgpack/msgpack-c#44',
    was: 'A value in two chunks is read from the beginning again',
    read: 'messagepack',
    hex: '92 93 01 02 03 81 a161 93 c2 c3 c0',
    gives: [[1, 2, 3], { a: [false, true, null] }],
  },
];
