import { loadFormat } from '../../../core/formats/loaders.ts';
import type { EncodedForm, EncodeRequest, FormSize } from '../protocol.ts';
import { decodeWhole } from '../whole-values/whole-value.ts';
import { differencesOf } from './differences.ts';
import { encodeIn, type Form, formName, FORMS, ownOptions, type OwnSchema } from './forms.ts';

/** Maximum number of timed decodes, and milliseconds for them in total. */
const RUNS = 5;
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
    return { name: formName(form), size: 0, gzip: 0, decode: 0, problem };
  }
}

/** Sizes a value in a form. */
export async function sizeForm(value: unknown, index: number, own?: OwnSchema): Promise<FormSize> {
  const form = FORMS[index]!;
  const name = formName(form);
  const encoded = await encodeIn(form, value, own).catch(() => undefined);
  return encoded ? { name, size: encoded.bytes.length, gzip: await gzipSize(encoded.bytes) } : { name, size: undefined, gzip: 0 };
}

async function measureForm(form: Form, value: unknown, own?: OwnSchema): Promise<EncodedForm> {
  const { bytes, schema, value: encoded, note = form.note, reading = form.reading ?? {} } = await encodeIn(form, value, own);
  // Loads the format's code, which does not count.
  await loadFormat(form.format);
  const times: number[] = [];
  const began = performance.now();
  let decoded: unknown;
  do {
    const start = performance.now();
    decoded = await decodeWhole(form.format, bytes, reading, schema);
    times.push(performance.now() - start);
  } while (times.length < RUNS && performance.now() - began < MAX_TIME);
  const lost = differencesOf(encoded, decoded);
  return {
    name: formName(form),
    size: bytes.length,
    gzip: await gzipSize(bytes),
    decode: times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!,
    ...(note !== undefined && { note }),
    ...(lost.length > 0 && { lost }),
  };
}

/** Size after gzip compression. */
export async function gzipSize(bytes: Uint8Array): Promise<number> {
  const reader = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream('gzip')).getReader();
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) size += part.value.length;
  return size;
}
