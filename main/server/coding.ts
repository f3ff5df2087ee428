import Negotiator from 'negotiator';
import type { Dictionary } from './dictionaries.ts';
import { headerOf, type ServerRequest, shortened } from './server-request.ts';

/** A content coding that responses can have (RFC 9110 section 8.4.1; `br` of RFC 7932, `zstd` of RFC 8878). */
export type Coding = 'zstd' | 'br' | 'gzip';

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/** A transform stream of Node, as far as it is used here. */
interface NodeTransform extends AsyncIterable<Uint8Array<ArrayBuffer>> {
  /** Bytes that it has used: not those after the end of what it decompresses. */
  readonly bytesWritten: number;
  write(chunk: Uint8Array, done: (error?: Error | null) => void): boolean;
  end(): void;
  destroy(error?: unknown): void;
  on(event: 'error', listener: () => void): unknown;
}

/** The parts of `node:zlib` that are used here. Zstandard is in Node 22.15 and later. */
interface Zlib {
  createGzip(): NodeTransform;
  createBrotliCompress(options: { params: Record<number, number> }): NodeTransform;
  createBrotliDecompress(): NodeTransform;
  createInflate(): NodeTransform;
  createZstdCompress?(options?: ZstdOptions): NodeTransform;
  zstdCompressSync?(bytes: Uint8Array, options?: ZstdOptions): Uint8Array;
  readonly constants: Readonly<
    Record<'BROTLI_PARAM_QUALITY' | 'ZSTD_c_compressionLevel' | 'ZSTD_c_windowLog' | 'ZSTD_c_hashLog' | 'ZSTD_c_chainLog', number>
  >;
}

/** Options of Zstandard. Dictionaries are in Node 22.19, 24.6 and later; earlier versions ignore them. */
interface ZstdOptions {
  readonly dictionary: Uint8Array;
  readonly params?: Readonly<Record<number, number>>;
}

/** Brotli's quality: about the time of gzip, and fewer bytes. The default of 11 is for files that are compressed once. */
const BROTLI_QUALITY = 4;

/** The options of negotiator that its types lack. */
interface Preferring {
  /** Accepted codings by quality, then in the order of `preferred`. */
  encodings(available: readonly string[], options: { preferred: readonly string[] }): string[];
}

/** Codings in the order in which they are chosen where a client accepts several equally. */
const PREFERRED: readonly Coding[] = ['zstd', 'br', 'gzip'];

/** `node:zlib` in Node, Deno and Bun. */
function zlib(): Zlib | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  return process?.getBuiltinModule?.('node:zlib') as Zlib | undefined;
}

/** The codings that this runtime can write. */
export function knownCodings(): readonly Coding[] {
  const node = zlib();
  return PREFERRED.filter((coding) => coding === 'gzip' || (node && (coding === 'br' || 'createZstdCompress' in node)));
}

let hasDictionaries: boolean | undefined;

/** True if this runtime can compress with a dictionary. */
export function canUseDictionaries(): boolean {
  return (hasDictionaries ??= compressesWithDictionary(zlib()));
}

function compressesWithDictionary(node: Zlib | undefined): boolean {
  const sample = Uint8Array.from({ length: 256 }, (_, index) => index);
  // The sample itself does not shrink without a dictionary.
  return (node?.zstdCompressSync?.(sample, { dictionary: sample }).length ?? sample.length) < sample.length / 2;
}

/**
 * Chooses a coding that a request accepts (RFC 9110 section 12.5.3), `dcz` first if there is a dictionary for it. Undefined for
 * none.
 */
export function chooseCoding(
  request: ServerRequest,
  wanted: boolean | readonly Coding[] | undefined,
  dictionary?: Dictionary,
): Coding | 'dcz' | undefined {
  const header = headerOf(request, 'accept-encoding')?.toLowerCase();
  if (!wanted || !header) return undefined;
  const accept = shortened(header);
  const known = knownCodings();
  const ordinary = wanted === true ? known : wanted.filter((coding) => known.includes(coding));
  const offered = dictionary ? (['dcz', ...ordinary] as const) : ordinary;
  // An unread part may exclude codings that a wildcard stands for.
  const codings = accept === header ? offered : offered.filter((coding) => accept.includes(coding));
  const accepted: Preferring = new Negotiator({ headers: { 'accept-encoding': accept } });
  const best = accepted.encodings([...codings, 'identity'], { preferred: codings })[0];
  return codings.find((coding) => coding === best);
}

/** Compresses a body while it is read. */
export function compress(body: Bytes, coding: Coding): Bytes {
  const node = zlib();
  if (!node) return body.pipeThrough(new CompressionStream('gzip'));
  if (coding === 'gzip') return through(body, node.createGzip());
  if (coding === 'zstd') return through(body, node.createZstdCompress!());
  return through(body, node.createBrotliCompress({ params: { [node.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }));
}

/** Start of a body of the coding `dcz` (RFC 9842 section 5): a skippable frame of Zstandard, with the dictionary's SHA-256. */
const DCZ = [0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0];
/** Level of Zstandard with a dictionary: about the time of the default of 3, and fewer bytes. */
const DICTIONARY_LEVEL = 6;
/** Logarithm of the greatest window that all clients support (RFC 9842 section 5). It holds the longest dictionary. */
const MAX_WINDOW_LOG = 23;
/** Logarithm of the least size of the tables that find matches. */
const MIN_TABLE_LOG = 17;

/** Compresses a body while it is read, with an earlier response as the dictionary: the coding `dcz`. */
export function compressWith({ bytes: dictionary, hash }: Dictionary, body: Bytes): Bytes {
  const node = zlib()!;
  const { constants } = node;
  const dictionaryLog = Math.ceil(Math.log2(dictionary.length));
  // The default tables hold the last megabytes of a dictionary alone.
  const tableLog = Math.max(dictionaryLog - 2, MIN_TABLE_LOG);
  const params = {
    [constants.ZSTD_c_compressionLevel]: DICTIONARY_LEVEL,
    // The dictionary is of use until the body is longer than the window.
    [constants.ZSTD_c_windowLog]: Math.min(dictionaryLog + 1, MAX_WINDOW_LOG),
    [constants.ZSTD_c_hashLog]: tableLog,
    [constants.ZSTD_c_chainLog]: tableLog,
  };
  const start = (controller: TransformStreamDefaultController<Uint8Array<ArrayBuffer>>): void => controller.enqueue(Uint8Array.of(...DCZ, ...hash));
  return through(body, node.createZstdCompress!({ dictionary, params })).pipeThrough(new TransformStream({ start }));
}

/** Codings of requests that `decompress` takes. */
export function knownRequestCodings(): readonly string[] {
  return ['gzip', 'deflate', ...(zlib() ? ['br'] : [])];
}

/** Decompresses a body while it is read. Bytes that are not of the coding, or follow its end, error the stream. */
export function decompress(body: Bytes, coding: string): Bytes {
  const node = zlib();
  if (coding === 'br') return through(body, node!.createBrotliDecompress());
  // Some runtimes ignore what follows the end in a `DecompressionStream` of deflate.
  if (coding === 'deflate' && node) return through(body, node.createInflate());
  return body.pipeThrough(new DecompressionStream(coding as 'gzip' | 'deflate'));
}

/** Sends a body through a stream of Node, no faster than the result is read. */
function through(body: Bytes, transform: NodeTransform): Bytes {
  const reader = body.getReader();
  // The iterator throws the errors.
  transform.on('error', () => {});
  const chunks = transform[Symbol.asyncIterator]();
  let feeding: Promise<number> | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        feeding ??= feed(reader, transform);
        const { done, value } = await chunks.next();
        if (!done) controller.enqueue(value);
        else if ((await feeding) > transform.bytesWritten) throw new Error('bytes follow its end');
        else controller.close();
      },
      async cancel(reason) {
        transform.destroy();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Writes a body to a stream of Node. Returns the number of bytes read. */
async function feed(reader: ReadableStreamDefaultReader<Uint8Array>, transform: NodeTransform): Promise<number> {
  let bytes = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const { value } = read;
      bytes += value.length;
      await new Promise<void>((resolve, reject) => transform.write(value, (error) => (error ? reject(error) : resolve())));
    }
    transform.end();
  } catch (error) {
    transform.destroy(error);
    await reader.cancel(error).catch(() => {});
  }
  return bytes;
}
