import * as apache from 'apache-arrow';
import arrow from '../../../core/formats/arrow/index.ts';
import { fileOf } from '../../unit/core/formats/arrow/written.ts';
import { decodeSync, prepare } from '../../../main/sync.ts';
import type { Report } from './report.ts';

/** A table of one column, as the stream or the file that apache-arrow writes. */
const table =
  <T extends apache.DataType>(type: T, length: number, data: unknown, format: 'stream' | 'file' = 'stream') =>
  (): Uint8Array =>
    Uint8Array.from(apache.tableToIPC(new apache.Table({ a: apache.makeVector(apache.makeData({ type, length, data } as never)) }), format));

const decimals = new apache.Decimal(3, 18);
const far = BigInt64Array.of(253402300799000000n, -62135596800000000n);
const dates = [{ a: new Date(253402300799000) }, { a: new Date(-62135596800000) }];
const three = [
  { a: 1, s: 'x', k: 'u' },
  { a: 2, s: 'y', k: 'v' },
  { a: 3, s: null, k: 'u' },
];

/** A file of Polars, after the code that it needs is loaded. */
async function polars(): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await fileOf('polars');
  await prepare(arrow, bytes);
  return bytes;
}

export const ARROW: readonly Report[] = [
  {
    report: 'apache/arrow-js#83',
    was: 'Timestamps before 1970 are off by 2³² units',
    read: 'arrow',
    hex: table(new apache.TimestampNanosecond(), 2, BigInt64Array.of(-2208988800000000000n, -1000000000n)),
    gives: [{ a: new Date('1900-01-01') }, { a: new Date(-1000) }],
  },
  {
    report: 'apache/arrow#40718',
    was: 'Dates before 1970 are off by 45 days',
    write: 'arrow',
    value: [{ date: new Date(-628563600000) }],
    back: [{ date: new Date(-628563600000) }],
  },
  {
    report: 'apache/arrow-js#421',
    was: 'Timestamps in microseconds past 2255 end in a TypeError',
    read: 'arrow',
    hex: table(new apache.TimestampMicrosecond(), 2, far),
    gives: dates,
  },
  {
    report: 'apache/arrow#11655',
    was: 'Negative decimals are wrong',
    read: 'arrow',
    hex: table(new apache.Decimal(0, 18), 1, Uint32Array.of(4294786450, 4294967295, 4294967295, 4294967295)),
    gives: [{ a: '-180846' }],
  },
  {
    report: 'apache/arrow-js#77',
    was: 'Decimals lose their scale',
    read: 'arrow',
    hex: table(decimals, 3, Uint32Array.of(1000, 0, 0, 0, 12_000, 0, 0, 0, 34_000, 0, 0, 0)),
    gives: [{ a: '1.000' }, { a: '12.000' }, { a: '34.000' }],
  },
  {
    report: 'apache/arrow#31100',
    was: 'What one library writes as a stream, another refuses as no file',
    read: 'arrow',
    hex: table(new apache.TimestampMicrosecond(), 2, far, 'file'),
    gives: dates,
    note: 'right: files and streams are told apart',
  },
  {
    report: 'pola-rs/nodejs-polars#109',
    was: 'The same of a stream',
    read: 'arrow',
    hex: table(new apache.Int32(), 2, Int32Array.of(1, -1)),
    gives: [{ a: 1 }, { a: -1 }],
  },
  {
    report: 'apache/arrow#46073',
    was: 'A response of Polars has the unknown type 24',
    tried: async () => decodeSync(arrow, await polars()),
    gives: [...three, ...three],
  },
  {
    report: 'nteract/nteract#1853',
    was: 'Text of Polars, type 24, gives no rows',
    tried: async () => decodeSync(arrow, await polars(), { pick: ['s'] }),
    gives: [...three, ...three].map(({ s }) => ({ s })),
  },
  {
    report: 'apache/arrow-julia#540',
    was: 'Short text of Polars is read from other bytes',
    tried: async () => decodeSync(arrow, await polars(), { pick: ['k'] }),
    gives: [...three, ...three].map(({ k }) => ({ k })),
  },
];

const bytesOf = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

/** `table C { id: string (key); hp: int; } table D { cs: [C]; flag: bool = true; text: string; longs: [long]; items: [int]; } root_type D;` */
const D = {
  bfbs: bytesOf(
    'GAAAAEJGQlMQABwABAAIAAwAEAAUABgAEAAAADAAAAAoAAAAHAAAABAAAAAsAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIAAACkAQAABAAAAHj+//8oAAAADAAAAAEAAACgAQAABQAAADgBAADUAAAAFAAAADwAAACQAAAAAQAAAEQAAACY////AAAAAQQADAAUAAAABAAAANT///8AAA4HBAAAAAUAAABpdGVtcwAAAMT///8AAAABAwAKACQAAAAUAAAAEAAMAAYABwAAAAAAAAAIABAAAAAAAA4JCAAAAAUAAABsb25ncwAAABwAFAAMABAACAAKAAAAAAAAAAAAAAAAAAAABwAcAAAAAAAAAQIACAAUAAAABAAAAKj+//8AAAANAQAAAAQAAAB0ZXh0AAAOABgACAAMAAQABgAQAA4AAAABAAYAMAAAABwAAAABAAAAAAAAABAAEAAHAAAAAAAAAAgADAAQAAAAAAAAAgEAAAABAAAABAAAAGZsYWcAAAAAHAAQAAgADAAAAAYAAAAAAAAAAAAAAAAAAAAFABwAAAAAAQQAKAAAABQAAAAQABAABgAHAAgAAAAAAAwAEAAAAAAADg8AAAAABAAAAAIAAABjcwAAFAAUAAQACAAAAAwAAAAAAAAAEAAUAAAAJAAAABQAAAABAAAABAAAAAAAAAAAAAAAAgAAABwAAABUAAAAAQAAAEMAAAAMABAACAAMAAQABgAMAAAAAQAGABQAAAAEAAAAxP///wAAAAcBAAAAAgAAAGhwAAAAABYAEAAIAAwAAAAGAAAAAAAAAAQABQAWAAAAAQEEACQAAAAUAAAAEAAMAAcAAAAAAAAAAAAIABAAAAAAAAANAQAAAAIAAABpZAAA',
  ),
};

const characters = (ids: string): object[] => Array.from(ids, (id) => ({ id, hp: id.charCodeAt(0) }));

export const FLATBUFFERS: readonly Report[] = [
  {
    report: 'google/flatbuffers#5424',
    was: 'A lookup by key does not find tables, since they are not sorted',
    write: 'flatbuffers',
    schema: D,
    value: { cs: characters('deabc') },
    back: { cs: characters('abcde'), flag: true },
  },
  {
    report: 'google/flatbuffers#5550',
    was: 'The same of the first of six tables',
    write: 'flatbuffers',
    schema: D,
    value: { cs: characters('zyxcba') },
    back: { cs: characters('abcxyz'), flag: true },
  },
  {
    report: 'google/flatbuffers#5896',
    was: 'A bool whose default is true is read as false',
    read: 'flatbuffers',
    schema: D,
    hex: '08000000 0400 0400 04000000',
    gives: { flag: true },
  },
  {
    report: 'google/flatbuffers#7631',
    was: 'A vector that is absent becomes empty',
    write: 'flatbuffers',
    schema: D,
    value: {},
    back: { flag: true },
  },
  {
    report: 'google/flatbuffers#7631',
    was: 'One that is empty',
    read: 'flatbuffers',
    schema: D,
    hex: '0c00000000000600080004000600000004000000 00000000',
    gives: { cs: [], flag: true },
  },
  {
    report: 'google/flatbuffers#7886',
    was: 'A BigInt64Array is refused as a vector of longs',
    write: 'flatbuffers',
    schema: D,
    value: { longs: BigInt64Array.of(1n, -(2n ** 63n)) },
    back: { flag: true, longs: [1, -(2n ** 63n)] },
  },
  {
    report: 'google/flatbuffers#4113',
    was: '64-bit integers end in a TypeError',
    write: 'flatbuffers',
    schema: D,
    value: { longs: [1, -1] },
    back: { flag: true, longs: [1, -1] },
  },
  {
    report: 'google/flatbuffers#5916',
    was: 'A string past the end of the buffer never ends',
    read: 'flatbuffers',
    schema: D,
    hex: '10000000 0a00 0800 0000 0000 0400 0000 0c000000 04ffff7f',
    rejects: 'malformed',
  },
  {
    report: 'google/flatbuffers#9051',
    was: 'A damaged length reads other memory',
    read: 'flatbuffers',
    schema: D,
    hex: '14000000 0e00 0800 0000 0000 0000 0000 0400 0000 10000000 04000000 ff000000 01000000 02000000',
    rejects: 'malformed',
  },
  {
    report: 'google/flatbuffers#5882',
    was: 'Random bytes crash after the verifier',
    read: 'flatbuffers',
    schema: D,
    hex: 'ffffff7f 00000000',
    rejects: 'malformed',
  },
];

/** `struct Foo { union { a @0 :Void; b @1 :Void; t @3 :Text; } u @2 :Text; }` */
const FOO = {
  request: bytesOf(
    'AAAAAHQAAAAAAAAAAAAEABEAAAC3AAAArQEAAB8AAAAEAAAAAQAAAHUBAAA3AAAAAAAJAgAAAAAIAAAABQAGAEHkbE5+N+PZAgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABBAAAAQgAAAEEAAAAXAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADIcmjPiWOtgggAAAABAAEAQeRsTn4349kCAAcAAAADAAAAAAAAAAAAKQAAAGIAAAAtAAAABwAAAAAAAAAAAAAAKQAAAOcAAAAAAAAAAAAAAAAAAAAAAAAAZi5jYXBucAAEAAAAAQABAMhyaM+JY62CAQAAACIAAABGb28AAAAAAGYuY2FwbnA6Rm9vAAAAAAAAAAAAAQABABAAAAADAAQAAAD//wAAAAAAAAEAAAAAAAAAAAAAAAAAYQAAABIAAAAAAAAAAAAAAFwAAAADAAEAaAAAAAIAAQABAP7/AAAAAAAAAQABAAAAAAAAAAAAAABlAAAAEgAAAAAAAAAAAAAAYAAAAAMAAQBsAAAAAgABAAMAAAAAAAAAAAABAAIAAAAAAAAAAAAAAGkAAAASAAAAAAAAAAAAAABkAAAAAwABAHAAAAACAAEAAgD9/wEAAAAAAAEAAwAAAAAAAAAAAAAAbQAAABIAAAAAAAAAAAAAAGgAAAADAAEAdAAAAAIAAQBhAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAYgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAHUAAAAAAAAADAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB0AAAAAAAAAAwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAAAAEAAgDIcmjPiWOtggAAAAAAAAAADQAAACcAAABB5GxOfjfj2QAAAAAAAAAAAAAAAAAAAAAQAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAEAAgBB5GxOfjfj2QUAAABCAAAABQAAAAcAAABmLmNhcG5wAAAAAAABAAEA',
  ),
  struct: 'Foo',
};

export const CAPNPROTO: readonly Report[] = [
  {
    report: 'capnproto/node-capnp#24',
    was: 'A union of Voids changes its member when it is written again',
    write: 'capnproto',
    schema: FOO,
    value: { b: null, u: 'x' },
    back: { b: null, u: 'x' },
  },
  {
    report: 'capnp-js/plugin#4',
    was: 'Unions are not supported',
    write: 'capnproto',
    schema: FOO,
    value: { t: 'x', u: '' },
    back: { t: 'x', u: '' },
  },
  {
    report: 'jdiaz5513/capnp-ts#90',
    was: 'A member of a union seems to be set and cannot be read',
    read: 'capnproto',
    schema: FOO,
    hex: '00000000 01000000 00000000 00000000',
    gives: { a: null, u: '' },
  },
  {
    report: 'jdiaz5513/capnp-ts#108',
    was: 'A text that is not set ends in an error',
    read: 'capnproto',
    schema: FOO,
    hex: '00000000 02000000 00000000 01000000 0200000000000000',
    gives: { t: '', u: '' },
  },
  {
    report: 'capnproto/capnproto-rust#54',
    was: 'Text of a null pointer ends in a segmentation fault',
    read: 'capnproto',
    schema: FOO,
    hex: '00000000 04000000 00000000 01000200 0200000000000000 0000000000000000 0000000000000000',
    gives: { t: '', u: '' },
  },
  {
    report: 'jdiaz5513/capnp-ts#192',
    was: 'Half a pair is written as no UTF-8',
    write: 'capnproto',
    schema: FOO,
    value: { u: 'x\ud83d' },
    rejects: 'text',
  },
];
