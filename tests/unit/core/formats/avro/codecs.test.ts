/** Codecs that an application registers: bzip2 by a package, in pages and in Node. */
import { afterEach, describe, expect, test } from 'vitest';
import avro, { registerCodec } from '../../../../../core/formats/avro/index.ts';
import { createDecoder } from '../../../../../main/index.ts';
import { decodeSync, prepare } from '../../../../../main/sync.ts';
import { bunzip } from '../../../../setup/values/bunzip.ts';
import { hex } from '../../../../setup/values/hex.ts';
import { decodeWith } from '../../../../setup/ways/differential.ts';
import { Bytes, container } from './bytes.ts';

/** `bzip2 -c` of the texts `bike` and `foot`, four times each, as Avro has them. */
const BLOCK = hex('425a683131415926535944741ca7000001c1800040132884002000310c080aa869b461478874f90860d17724538509044741ca70');
const texts = ['bike', 'foot', 'bike', 'foot', 'bike', 'foot', 'bike', 'foot'];
const file = container('string', 'bzip2', [
  { count: texts.length, data: BLOCK },
  { count: texts.length, data: BLOCK },
]);
const value = [...texts, ...texts];

type Registry = Record<symbol, unknown>;

afterEach(() => {
  delete (globalThis as Registry)[Symbol.for('unspool.codecs')];
  delete (globalThis as Registry)[Symbol.for('unspool.page')];
});

describe('a container whose codec the application registers', () => {
  test('is decoded at once, in every cut, by a decoder and in batches', async () => {
    registerCodec('bzip2', bunzip);
    expect(decodeSync(avro, file.slice())).toEqual(value);
    for (const size of [1, 7, 50]) {
      expect(decodeWith(avro, file, { chunkSizes: Array.from({ length: file.length / size }, () => size) })).toEqual(value);
    }
    const decoder = createDecoder();
    expect(await decoder.decode(file.slice())).toEqual(value);
    expect(await decoder.decode(new Blob([file as Uint8Array<ArrayBuffer>]), { format: 'avro' })).toEqual(value);
    const items: unknown[] = [];
    for await (const batch of decoder.batches(new Blob([file as Uint8Array<ArrayBuffer>]), { format: 'avro' })) items.push(...batch);
    expect(items).toEqual(value);
    decoder.close();
  });

  test('is decoded by a function that loads, once it has loaded', async () => {
    registerCodec(
      'bzip2',
      import('../../../../setup/values/bunzip.ts').then((loaded) => loaded.bunzip),
    );
    expect(() => decodeSync(avro, file.slice())).toThrow('call await prepare(format, bytes) first');
    await prepare(avro, file.slice());
    expect(decodeSync(avro, file.slice())).toEqual(value);
    registerCodec('bzip2', Promise.resolve(bunzip));
    const decoder = createDecoder({ syncBelow: 0 });
    expect(await decoder.decode(file.slice(), { format: 'avro' })).toEqual(value);
    decoder.close();
  });

  test('is not sent to workers, which lack the codec, unless they register it too', async () => {
    registerCodec('bzip2', bunzip);
    const rows = container({ type: 'record', name: 'Stop', fields: [{ name: 'station', type: 'string' }] }, 'bzip2', [
      { count: texts.length, data: BLOCK },
    ]);
    const decoder = createDecoder({ syncBelow: 0 });
    let route: string | undefined;
    decoder.addEventListener('decode', ({ detail }) => (route = detail.route));
    const read = await decoder.decode(rows.slice(), { format: 'avro', as: 'rows' });
    expect([...(read as Iterable<object>)]).toEqual(texts.map((station) => ({ station })));
    expect(route).toBe('page');
    decoder.close();
  });

  test('may have the name of a built-in one, which it replaces', () => {
    registerCodec('deflate', () => new Bytes().string('mine').done());
    expect(decodeSync(avro, container('string', 'deflate', [{ count: 1, data: Uint8Array.of(1) }]))).toEqual(['mine']);
  });

  test('may return a buffer, or bytes of another kind', () => {
    registerCodec('twice', ((block: Uint8Array) => new DataView(block.slice().buffer)) as never);
    expect(decodeSync(avro, container('string', 'twice', [{ count: 1, data: new Bytes().string('view').done() }]))).toEqual(['view']);
    registerCodec('twice', (block) => block.slice().buffer);
    expect(decodeSync(avro, container('string', 'twice', [{ count: 1, data: new Bytes().string('buffer').done() }]))).toEqual(['buffer']);
  });
});

describe('errors of codecs', () => {
  test('name the way to register an unknown codec', async () => {
    const message = 'the codec bzip2 is not built in: add a package for it by registerCodec of unspool/formats/avro, in each thread that decodes';
    expect(() => decodeSync(avro, file.slice())).toThrow(message);
    const decoder = createDecoder();
    await expect(decoder.decode(file.slice())).rejects.toThrow(message);
    decoder.close();
  });

  test('tell that a decompressor fails, returns no bytes or a promise, could not be loaded, or exceeds a limit', async () => {
    const reasonOf = (): unknown => {
      try {
        return decodeSync(avro, file.slice(), { limits: { expansion: 10 } });
      } catch (error) {
        return `${(error as Error).name}: ${(error as Error).message}`;
      }
    };
    registerCodec('bzip2', () => {
      throw new Error('bad magic');
    });
    expect(reasonOf()).toMatch(/^DecodeError: invalid compressed block: the codec bzip2 cannot read it: bad magic/);
    registerCodec('bzip2', (() => undefined) as never);
    expect(reasonOf()).toMatch(/the codec bzip2 returned no bytes/);
    registerCodec('bzip2', (async () => new Uint8Array(1)) as never);
    expect(reasonOf()).toMatch(/the codec bzip2 returned a promise: it must return bytes/);
    registerCodec('bzip2', () => new Uint8Array(100_000_000));
    expect(reasonOf()).toMatch(/^LimitError/);
    registerCodec('bzip2', Promise.reject(new Error('no network')));
    await expect(prepare(avro, file.slice())).rejects.toThrow('the code of the codec bzip2 could not be loaded: no network');
    registerCodec('bzip2', Promise.resolve({}) as never);
    await expect(prepare(avro, file.slice())).rejects.toThrow('the promise gave no function');
  });

  test('refuse other values at once', () => {
    expect(() => registerCodec('', () => new Uint8Array())).toThrow(TypeError);
    expect(() => registerCodec('null', () => new Uint8Array())).toThrow('invalid name of a codec: null');
    expect(() => registerCodec('bzip2', {} as never)).toThrow('the codec bzip2 takes a function that decompresses a block, or a promise of one');
  });
});
