import { formatEntry } from '../../../core/formats/registry.ts';
import { glanceOf, pickValue, searchBody, searchTree, exportBody } from '../session/across-bodies.ts';
import { forPanel } from '../schemas/schema-for-panel.ts';
import { compileSchema } from '../schemas/compile-schema.ts';
import { detectFormat } from '../detect/detect-format.ts';
import { editableBody, writeBody } from '../edit/edit-body.ts';
import type { AnswerMessage, CallMessage, Detection, DetectRequest, EncodeRequest, LoadedMessage, ReadAnswer, ReadRequest } from '../protocol.ts';
import { readFramed } from '../framings/framed-tree.ts';
import { inferForm } from '../infer/index.ts';
import { readSpans } from '../spans/read-spans.ts';
import { checkReferences } from '../whole-values/whole-value.ts';
import { rpcStatusOf } from '../rpc/rpc-status.ts';
import { typesInSchema } from '../schemas/schema-types.ts';
import { type Unwrapped, unwrap } from '../framings/unwrap.ts';
import { tryForm, valueOf } from '../what-if/try-forms.ts';
import { FORMS, type OwnSchema } from '../what-if/forms.ts';

const NO_BYTES = new Uint8Array(0);

const port = globalThis as unknown as {
  onmessage: ((event: MessageEvent<CallMessage>) => void) | null;
  postMessage(message: AnswerMessage | LoadedMessage, transfer?: Transferable[]): void;
};

port.onmessage = ({ data }) => {
  void answer(data).catch((error: unknown) => port.postMessage({ id: data.id, problem: String((error as Error).message ?? error) }));
};

async function answer(call: CallMessage): Promise<void> {
  const { id } = call;
  switch (call.name) {
    case 'detect':
      port.postMessage({ id, answer: await detect(await unwrap(call.request.bytes, call.request), call.request) });
      break;
    case 'read': {
      const result = forPanel(await read(call.request));
      port.postMessage({ id, answer: result }, buffersOf(result));
      break;
    }
    case 'schemaTypes':
      port.postMessage({ id, answer: await typesInSchema(call.request.format, call.request.bytes, call.request.isDoubtful) });
      break;
    case 'glance':
      port.postMessage({ id, answer: glanceOf(await read(call.request)) });
      break;
    case 'findSchemas': {
      const { findSchemas } = await import('../found/find-schemas.ts');
      port.postMessage({ id, answer: findSchemas(call.request.scripts) });
      break;
    }
    case 'searchBody':
      port.postMessage({ id, answer: searchBody(await read(call.request), call.request.query) });
      break;
    case 'searchTree':
      port.postMessage({ id, answer: searchTree(call.request, call.request.query) });
      break;
    case 'pick':
      port.postMessage({ id, answer: pickValue(await read(call.request), call.request.path) });
      break;
    case 'exportBody': {
      const exported = exportBody(await read(call.request));
      port.postMessage({ id, answer: exported }, exported.json ? [exported.json.buffer as ArrayBuffer] : []);
      break;
    }
    case 'editable':
      port.postMessage({ id, answer: await editableBody(call.request) });
      break;
    case 'writeBody':
      port.postMessage({ id, answer: await writeBody(call.request) });
      break;
    case 'mergeEvents': {
      const { mergeEvents } = await import('../merged/merge-events.ts');
      port.postMessage({ id, answer: await mergeEvents(call.request.kind, call.request.events) });
      break;
    }
    case 'infer':
      port.postMessage({ id, answer: inferForm(await treeOf(call.request), call.request.form) });
      break;
    case 'encodeStart':
      opened = { value: await treeOf(call.request), own: await ownSchemaOf(call.request) };
      port.postMessage({ id, answer: FORMS.length });
      break;
    case 'encodeForm':
      port.postMessage({ id, answer: opened && (await tryForm(opened.value, call.request.index, opened.own)) });
      break;
  }
}

/** Value of the open body, kept for encoding. */
let opened: { value: unknown; own: OwnSchema } | undefined;

/** Value of a body without cycles or excessive sharing, for schemas and other forms. */
async function treeOf(request: EncodeRequest): Promise<unknown> {
  const value = await valueOf(request, await compileSchema(request.schema));
  checkReferences(value);
  return value;
}

async function ownSchemaOf({ format, schema, sequence }: EncodeRequest): Promise<OwnSchema> {
  return { format, schema: await compileSchema(schema), sequence };
}

async function detect(body: Unwrapped, { contentType, status = 0, headers = [] }: DetectRequest): Promise<Detection> {
  const found = await detectFormat(body.content, contentType, !body.overflow, body.wrappings, body.framing?.format);
  const rpc = await rpcStatusOf({ body, status, contentType, headers });
  return {
    ...found,
    ...(body.overflow && { overflow: body.overflow }),
    ...(rpc && { rpc, isTrailersOnly: rpc.protocol === 'gRPC' && body.content.length === 0 }),
  };
}

/** Confidence above which the bytes overrule what the page's code says. */
const SURE = 0.9;

async function read(request: ReadRequest): Promise<ReadAnswer> {
  const { schema } = request;
  if (!schema?.isClaim) return readAs(request);
  const answer = await readAs(request);
  return answer.error || answer.detection.format !== schema.format ? readAs({ ...request, schema: undefined }) : answer;
}

async function readAs({ schema: wanted, ...request }: ReadRequest): Promise<ReadAnswer> {
  const body = await unwrap(request.bytes, { ...request, limit: request.part });
  const { bytes, content, framing, overflow } = body;
  const found = request.detected ?? (await detect(body, request));
  const isOverruled = wanted?.isClaim && found.format !== wanted.format && found.confidence > SURE;
  const schema = isOverruled ? undefined : wanted;
  const format = request.format ?? schema?.format ?? found.format;
  const detection =
    format === found.format
      ? found
      : {
          ...found,
          format,
          confidence: 1,
          reasons: [schema && !request.format ? `schema ${schema.name}` : 'chosen by you'],
          sequence: framing !== undefined,
        };
  const isPart = overflow !== undefined && request.part !== undefined;
  const answer = { detection, bytes, content, isPart, data: undefined, error: undefined, milliseconds: 0 };
  if (overflow && !isPart) return { ...answer, bytes: NO_BYTES, content: NO_BYTES };
  if (!format) return answer;
  const ownSchema = schema?.format === format ? schema : undefined;
  if (!ownSchema && formatEntry(format)?.schema && format !== 'protobuf') {
    return { ...answer, error: { name: 'SchemaError', reason: `${format} needs a schema. Drop one on the panel.` } };
  }
  const sequence = request.sequence ?? detection.sequence;
  try {
    const compiled = await compileSchema(ownSchema);
    const setting = {
      format,
      schema: compiled,
      options: { ...ownSchema?.options, ...(sequence && !framing && { sequence }) },
    };
    const reading = framing ? await readFramed(bytes, framing, setting) : await readSpans(bytes, setting);
    const isCutOff = isPart && reading.error?.code === 'truncated';
    return { ...answer, detection: { ...detection, sequence }, ...reading, ...(isCutOff && { error: undefined }) };
  } catch (error) {
    const { name, message } = error as Error;
    return { ...answer, error: { name, reason: message } };
  }
}

/** Buffers to transfer to the panel, each once. */
function buffersOf({ bytes, content, data }: ReadAnswer): Transferable[] {
  const { kinds, starts, values, ends, heads, nexts, parents, keys, numbers, extents } = data ?? ({} as NonNullable<ReadAnswer['data']>);
  const columns = [
    bytes,
    content,
    kinds,
    starts,
    values,
    ends,
    heads,
    nexts,
    parents,
    keys,
    numbers,
    extents?.starts,
    extents?.owners,
    extents?.roles,
  ];
  const all = columns.filter((column): column is NonNullable<typeof column> => column !== undefined && column.buffer.byteLength > 0);
  return [...new Set(all.map((column) => column.buffer as ArrayBuffer))];
}

port.postMessage({ hasLoaded: true });
