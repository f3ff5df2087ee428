import { SchemaError } from '../../worker/errors.ts';
import { loadFormat } from '../../worker/formats/loaders.ts';
import { formatEntry } from '../../worker/formats/registry.ts';
import { detectFormat } from './detect-format.ts';
import type { AnswerMessage, CallMessage, EncodeRequest, ReadAnswer, ReadRequest, SchemaInput } from './protocol.ts';
import { readSpans } from './read-spans.ts';
import { typesInSchema } from './schema-types.ts';
import { unwrap } from './unwrap.ts';
import { FORMS } from './what-if/forms.ts';
import { tryForm, valueOf } from './what-if/try-forms.ts';

const port = globalThis as unknown as {
  onmessage: ((event: MessageEvent<CallMessage>) => void) | null;
  postMessage(message: AnswerMessage, transfer?: Transferable[]): void;
};

port.onmessage = ({ data }) => {
  void answer(data).catch((error: unknown) => port.postMessage({ id: data.id, problem: String((error as Error).message ?? error) }));
};

async function answer(call: CallMessage): Promise<void> {
  const { id } = call;
  switch (call.name) {
    case 'detect': {
      const { bytes, wrappings } = await unwrap(call.request.bytes, call.request.contentType);
      port.postMessage({ id, answer: await detectFormat(bytes, call.request.contentType, call.request.whole || wrappings.length > 0, wrappings) });
      break;
    }
    case 'read': {
      const result = await read(call.request);
      port.postMessage({ id, answer: result }, buffersOf(result));
      break;
    }
    case 'time':
      port.postMessage({ id, answer: await timeOf(call.request) });
      break;
    case 'schemaTypes':
      port.postMessage({ id, answer: await typesInSchema(call.request.format, call.request.bytes) });
      break;
    case 'encodeStart':
      kept = await valueOf(call.request, await compile(call.request.schema));
      port.postMessage({ id, answer: FORMS.length });
      break;
    case 'encodeForm':
      port.postMessage({ id, answer: await tryForm(kept, call.request.index) });
      break;
  }
}

async function timeOf(request: EncodeRequest): Promise<number> {
  const { bytes } = await unwrap(request.bytes, '');
  const schema = await compile(request.schema);
  // The first time, the format's code is loaded too.
  await valueOf({ ...request, bytes }, schema);
  const start = performance.now();
  await valueOf({ ...request, bytes }, schema);
  return performance.now() - start;
}

/** The value that forms are tried on. */
let kept: unknown;

/** Schemas compiled, by what they were made from. */
const compiled = new Map<string, unknown>();

export async function compile(schema: SchemaInput | undefined): Promise<unknown> {
  if (schema?.input === undefined) return undefined;
  const key = `${schema.format} ${schema.name} ${keyOf(schema.input)}`;
  if (!compiled.has(key)) {
    const module = await loadFormat(schema.format);
    if (!module.compileSchema) throw new SchemaError(`${schema.format} takes no schema`);
    compiled.set(key, await module.compileSchema(schema.input, schema.name));
  }
  return compiled.get(key);
}

/** What tells inputs apart; of bytes JSON would make long text. */
function keyOf(input: unknown): string {
  return JSON.stringify(input, (_, item: unknown) => (item instanceof Uint8Array ? `${item.length} ${item.join()}` : item));
}

async function read(request: ReadRequest): Promise<ReadAnswer> {
  const { bytes, wrappings } = await unwrap(request.bytes, request.contentType);
  const found = request.detected ?? (await detectFormat(bytes, request.contentType, true, wrappings));
  const format = request.format ?? request.schema?.format ?? found.format;
  const detection =
    format === found.format
      ? found
      : { ...found, format, confidence: 1, reasons: [request.schema && !request.format ? `the schema ${request.schema.name}` : 'you chose it'], sequence: false };
  const sequence = request.sequence ?? detection.sequence;
  if (!format) return { detection, bytes, data: undefined, error: undefined, milliseconds: 0 };
  const isFor = request.schema?.format === format ? request.schema : undefined;
  if (!isFor && formatEntry(format)?.schema && format !== 'protobuf') {
    const error = { name: 'SchemaError', reason: `${format} can only be read with a schema: drop one on the panel.` };
    return { detection, bytes, data: undefined, error, milliseconds: 0 };
  }
  try {
    const schema = await compile(isFor);
    const reading = await readSpans(bytes, { format, schema, options: { ...isFor?.options, ...(sequence && { sequence }) } });
    return { detection: { ...detection, sequence }, bytes, ...reading };
  } catch (error) {
    const { name, message } = error as Error;
    return { detection, bytes, data: undefined, error: { name, reason: message }, milliseconds: 0 };
  }
}

/** What moves to the panel, each buffer once. */
function buffersOf({ bytes, data }: ReadAnswer): Transferable[] {
  const { kinds, starts, values, ends, heads, nexts, parents, keys, numbers, extents } = data ?? ({} as NonNullable<ReadAnswer['data']>);
  const columns = [bytes, kinds, starts, values, ends, heads, nexts, parents, keys, numbers, extents?.starts, extents?.owners, extents?.roles];
  const all = columns.filter((column) => column !== undefined);
  return [...new Set(all.map((column) => column.buffer as ArrayBuffer))];
}
