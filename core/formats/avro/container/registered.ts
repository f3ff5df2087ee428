import { decodeHere } from '../../../platform/own-codecs.ts';

/** Decompresses the data of a block. */
export type Decompress = (block: Uint8Array) => Uint8Array | ArrayBuffer;

type Registered = Map<string, Decompress | Promise<Decompress>>;

/** The library's files are self-contained: they share the codecs of a thread by its global object. */
const KEY = Symbol.for('unspool.codecs');
const scope = globalThis as { [KEY]?: Registered };

/** Codecs registered in this thread; undefined without any. */
export function registeredCodecs(): Registered | undefined {
  return scope[KEY];
}

/** Options of `registerCodec`. */
export interface CodecOptions {
  /**
   * True if the workers of `createWorker` register the codec too. Otherwise this thread decodes all Avro itself. Default
   * false.
   */
  inWorkers?: boolean | undefined;
}

/**
 * Registers a codec of container files, such as bzip2 or xz, for the thread that calls it: `decompress` gets the data of
 * a block, as the specification of Avro has them (https://avro.apache.org/docs/1.12.0/specification/#required-codecs), and
 * returns the decompressed bytes, whose number is checked against the limits. A promise of the function may be given while
 * its package loads: decoders wait for it, and `decodeSync` needs `await prepare(avro, bytes)`. A codec with the name of a
 * built-in one replaces it. Throws a TypeError for other values.
 */
export function registerCodec(name: string, decompress: Decompress | Promise<Decompress>, { inWorkers = false }: CodecOptions = {}): void {
  if (typeof name !== 'string' || name === '' || name === 'null')
    throw new TypeError(`invalid name of a codec: ${String(name)}; it must be a string, such as bzip2`);
  const isPromise = typeof (decompress as Partial<Promise<Decompress>> | undefined)?.then === 'function';
  if (!isPromise && typeof decompress !== 'function')
    throw new TypeError(`the codec ${name} takes a function that decompresses a block, or a promise of one`);
  const codecs = (scope[KEY] ??= new Map());
  codecs.set(name, decompress);
  if (!inWorkers) decodeHere('avro');
  if (!isPromise) return;
  // A failure is reported when the codec is needed.
  (decompress as Promise<Decompress>).then(
    (loaded) => {
      if (codecs.get(name) === decompress && typeof loaded === 'function') codecs.set(name, loaded);
    },
    () => {},
  );
}
