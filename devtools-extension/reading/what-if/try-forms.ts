import { loadFormat } from '../../../core/formats/loaders.ts';
import type { EncodedForm, EncodeRequest } from '../protocol.ts';
import { decodeWhole } from '../whole-values/whole-value.ts';
import { differencesOf } from './differences.ts';
import { encodeIn, type Form, formName, FORMS, ownOptions, type OwnSchema } from './forms.ts';

/** Maximum number of timed runs, and milliseconds for them in total. */
const RUNS = 12;
const MAX_TIME = 600;

/** Decodes the value of a body, for encoding in other forms. */
export async function valueOf({ bytes, format, sequence, schema: given }: EncodeRequest, schema: unknown): Promise<unknown> {
  return decodeWhole(
    format,
    bytes,
    { ...given?.options, ...ownOptions({ format, schema, sequence }), ...(format === 'protobuf' && schema === undefined && { schemaless: true }) },
    schema,
  );
}

/** Encodes a value in a form: sizes, decode time, and losses. */
export async function tryForm(value: unknown, index: number, own?: OwnSchema): Promise<EncodedForm> {
  const form = FORMS[index]!;
  try {
    return await measureForm(form, value, own);
  } catch (error) {
    const problem = error instanceof RangeError ? 'nested too deep, or too large' : String((error as Error).message ?? error);
    return { name: formName(form), format: form.format, size: 0, gzip: 0, encode: 0, decode: 0, problem };
  }
}

async function measureForm(form: Form, value: unknown, own?: OwnSchema): Promise<EncodedForm> {
  // Loads the format's code, which does not count.
  const { bytes, schema, value: encoded, note = form.note, reading = form.reading ?? {}, write } = await encodeIn(form, value, own);
  await loadFormat(form.format);
  const writing = await timed(write);
  const decoding = await timed(() => decodeWhole(form.format, bytes, reading, schema));
  const lost = differencesOf(encoded, decoding.result);
  const [gzip, brotli, zstd] = await Promise.all((['gzip', 'brotli', 'zstd'] as const).map((name) => compressedSize(bytes, name)));
  return {
    name: formName(form),
    format: form.format,
    size: bytes.length,
    gzip: gzip!,
    ...(brotli !== undefined && { brotli }),
    ...(zstd !== undefined && { zstd }),
    encode: writing.median,
    decode: decoding.median,
    ...(note !== undefined && { note }),
    ...(lost.length > 0 && { lost }),
  };
}

/**
 * Median time of the later half of up to twelve runs, and the result of the last. The engine compiles the code during the first ones,
 * which would favour the format of the body, whose code has run before.
 */
async function timed<T>(run: () => Promise<T>): Promise<{ median: number; result: T }> {
  const times: number[] = [];
  const began = performance.now();
  let result: T;
  do {
    const start = performance.now();
    result = await run();
    times.push(performance.now() - start);
  } while (times.length < RUNS && performance.now() - began < MAX_TIME);
  const later = times.slice(Math.floor(times.length / 2)).toSorted((a, b) => a - b);
  return { median: later[Math.floor(later.length / 2)]!, result };
}

/** Size after compression; undefined if the browser does not have it. */
async function compressedSize(bytes: Uint8Array, name: 'gzip' | 'brotli' | 'zstd'): Promise<number | undefined> {
  const stream = compressionStream(name);
  if (!stream) return undefined;
  const reader = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream).getReader();
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) size += part.value.length;
  return size;
}

function compressionStream(name: string): CompressionStream | undefined {
  try {
    return new CompressionStream(name as CompressionFormat);
  } catch (error) {
    if (name === 'gzip') throw error;
    return undefined;
  }
}
