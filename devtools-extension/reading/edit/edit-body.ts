import { joined } from '../../../core/bytes/byte-input.ts';
import { Numeral } from '../../values/number-text.ts';
import { type Exported, stringify } from '../../values/value.ts';
import { sameBytes, toBase64 } from '../../adapter/bytes.ts';
import { compileSchema } from '../schemas/compile-schema.ts';
import { type FramedPayload, type Framing, payloadsOf } from '../framings/framing.ts';
import type { EditableBody, EditProblem, ReadRequest, Wrapping, WrittenBody } from '../protocol.ts';
import { type Unwrapped, unwrap } from '../framings/unwrap.ts';
import type { PayloadForm } from './form-options.ts';
import { compressionOf, inflate, maxInflatedSize } from '../compression/inflate.ts';
import { openPayload, writePayload, type Written } from './payload.ts';

/** Maximum length of an editable value, in UTF-16 units. */
const MAX_TEXT = 2_000_000;

/** A body split into its editable payloads and their surroundings. */
interface Parts {
  body: Unwrapped;
  form: PayloadForm;
  /** Frames with one message each; empty if the content is edited as a whole. */
  frames: FramedPayload[];
  /** Original payloads, decompressed: each message, or the whole content. */
  payloads: Uint8Array[];
}

/** Value of a request's body as editable text, or the reason why it cannot be edited. */
export async function editableBody(request: ReadRequest): Promise<EditableBody> {
  try {
    const parts = await partsOf(request);
    const opened = await Promise.all(parts.payloads.map((bytes) => openPayload(bytes, parts.form)));
    const text = textOf(
      opened.map(({ notation }) => notation),
      parts,
    );
    if (text.length > MAX_TEXT) return { reason: 'The value is too long to edit.' };
    const again = await writeParts(text, parts);
    if ('problem' in again) return { reason: `The value cannot be encoded again: ${again.problem.reason}.` };
    const isSame = sameBytes(again.bytes, request.bytes);
    return { text, isSame, size: again.bytes.length };
  } catch (error) {
    return { reason: (error as Error).message };
  }
}

/** Encodes an edited value with the framing and compression of `request.bytes`. */
export async function writeBody({ text, ...request }: ReadRequest & { text: string }): Promise<WrittenBody> {
  try {
    return await writeParts(text, await partsOf(request));
  } catch (error) {
    return { problem: { reason: (error as Error).message } };
  }
}

async function partsOf(request: ReadRequest): Promise<Parts> {
  const body = await unwrap(request.bytes, request);
  const { detected, schema } = request;
  const format = request.format ?? schema?.format ?? detected?.format;
  if (!format) throw new Error('The format of the body is unknown.');
  if (body.overflow) throw new Error('The body is too large.');
  const stuck = body.wrappings.find((wrapping) => !REVERSIBLE.has(wrapping));
  if (stuck) throw new Error(`${stuck} cannot be encoded. Edit the body as text or bytes.`);
  const isFramed = body.framing !== undefined;
  const used = schema?.format === format ? schema : undefined;
  const form = { format, sequence: !isFramed && detected?.sequence === true, options: used?.options, schema: await compileSchema(used) };
  const frames = isFramed ? editedFrames(body.framing!, form) : [];
  const payloads = frames.length === 0 ? [body.bytes] : await Promise.all(frames.map((frame) => payloadOf(body.bytes, frame)));
  return { body, form, frames, payloads };
}

/** Wrappings that can be reapplied. */
const REVERSIBLE: ReadonlySet<Wrapping> = new Set<Wrapping>([
  'gzip',
  'zlib',
  'base64',
  'gRPC frames',
  'gRPC-web frames',
  'Connect envelopes',
  'Confluent prefix',
  'JSON guard',
]);

function editedFrames(framing: Framing, { format }: PayloadForm): FramedPayload[] {
  return payloadsOf(framing).filter((frame) => frame.format === undefined || frame.format === format);
}

/** Decompressed message. Throws if it could not be compressed again. */
async function payloadOf(bytes: Uint8Array, { from, end, isCompressed }: FramedPayload): Promise<Uint8Array> {
  const message = bytes.subarray(from, end);
  if (!isCompressed) return message;
  if (compressionOf(message) !== 'gzip') throw new Error('Only messages compressed with gzip can be edited.');
  const { bytes: inflated, isCut } = await inflate(message, 'gzip', maxInflatedSize(message.length));
  if (isCut) throw new Error('A message is too large.');
  return inflated;
}

/** Message as framed: compressed if it was. An unchanged message keeps its original bytes. */
async function framedMessage(
  bytes: Uint8Array,
  { from, end, isCompressed }: FramedPayload,
  message: Uint8Array,
  before: Uint8Array,
): Promise<Uint8Array> {
  if (!isCompressed) return message;
  const isSame = sameBytes(message, before);
  return isSame ? bytes.subarray(from, end) : compress(message, 'gzip');
}

/** A single value as is, several as a list. */
function textOf(notations: readonly Exported[], { frames }: Parts): string {
  return indented(frames.length > 1 ? [...notations] : notations[0]!);
}

async function writeParts(text: string, parts: Parts): Promise<WrittenBody> {
  const { body, form, frames, payloads: before } = parts;
  const texts = frames.length > 1 ? messagesIn(text, frames.length) : [{ text, from: 0 }];
  if (!texts) return { problem: { reason: `expected a list of ${frames.length} messages`, from: 0, end: text.length } };
  const messages: Uint8Array[] = [];
  const lost: string[] = [];
  for (const [index, part] of texts.entries()) {
    const made = await writePayload(part.text, before[index]!, form);
    if ('problem' in made) return { problem: moved(made, part.from) };
    messages.push(made.bytes);
    for (const part of made.lost) lost.push(part);
  }
  const again = await Promise.all(frames.map((frame, index) => framedMessage(body.bytes, frame, messages[index]!, before[index]!)));
  const framed = frames.length === 0 ? messages[0]! : framedAgain(body.bytes, frames, again, body.framing!.isList);
  return { bytes: await wrapAgain(framed, body.wrappings), lost };
}

function moved({ problem }: Extract<Written, { problem: EditProblem }>, by: number): EditProblem {
  return { ...problem, from: (problem.from ?? 0) + by, end: (problem.end ?? 0) + by };
}

/** Items of a list's text with their offsets; undefined unless there are `count`. */
function messagesIn(text: string, count: number): { text: string; from: number }[] | undefined {
  const items: { text: string; from: number }[] = [];
  let depth = 0;
  let from = -1;
  for (const token of text.matchAll(/"[^"\\]*(?:\\[^][^"\\]*)*"?|[[\]{},]/g)) {
    const [sign] = token;
    if ((sign === ',' && depth === 1) || (sign === ']' && depth === 1)) items.push({ text: text.slice(from, token.index), from });
    if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    if ((sign === '[' && depth === 1) || (sign === ',' && depth === 1)) from = token.index + 1;
  }
  return items.length === count ? items : undefined;
}

/** Replaces the messages in their frames and keeps the bytes between them. */
function framedAgain(bytes: Uint8Array, frames: readonly FramedPayload[], messages: readonly Uint8Array[], isList: boolean): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const [index, { from, end }] of frames.entries()) {
    const head = bytes.slice(at, from);
    // In gRPC and Connect, a uint32 length directly precedes the message.
    if (isList) new DataView(head.buffer).setUint32(head.length - 4, messages[index]!.length);
    parts.push(head, messages[index]!);
    at = end;
  }
  return joined([...parts, bytes.subarray(at)]);
}

/** Reapplies compression and base64, innermost first. */
async function wrapAgain(bytes: Uint8Array, wrappings: readonly Wrapping[]): Promise<Uint8Array> {
  let wrapped = bytes;
  for (const wrapping of wrappings.toReversed()) {
    if (wrapping === 'base64') wrapped = new TextEncoder().encode(toBase64(wrapped));
    else if (wrapping === 'gzip' || wrapping === 'zlib') wrapped = await compress(wrapped, wrapping === 'gzip' ? 'gzip' : 'deflate');
  }
  return wrapped;
}

async function compress(bytes: Uint8Array, form: CompressionFormat): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream(form));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Maximum length of a container written on one line. */
const LINE = 60;

/** Indented JSON, with short flat containers on one line. */
export function indented(value: Exported, indent = ''): string {
  if (typeof value !== 'object' || value === null || value instanceof Numeral) return stringify(value);
  const items = Object.values(value);
  if (items.every((item) => typeof item !== 'object' || item === null)) {
    const line = oneLine(value);
    if (line.length <= LINE) return line;
  }
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => inner + indented(item, inner))
    : Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${indented(item, inner)}`);
  const [begin, end] = Array.isArray(value) ? '[]' : '{}';
  return `${begin}\n${lines.join(',\n')}\n${indent}${end}`;
}

function oneLine(value: Exported[] | { [key: string]: Exported }): string {
  if (Array.isArray(value)) return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${JSON.stringify(item)}`)
    .join(', ')}}`;
}
