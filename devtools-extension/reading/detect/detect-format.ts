import { detectByMediaType, looksLikeMarkup } from '../../../core/formats/detect.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import { ABOUT, type FormatEntry, formatEntry, FORMATS, SNIFFERS } from '../../../core/formats/registry.ts';
import type { Detection, Wrapping } from '../protocol.ts';
import { isText, signatureOf } from '../file-types/signatures.ts';
import { fitsSequence, tryFormat } from './try-format.ts';
import { scoreDelimited, scoreMessage } from './score-protobuf.ts';
import { fitsCapnProto, fitsFlatBuffer } from './score-words.ts';

/** Self-describing formats, which are tried by reading. */
const TRIED = FORMATS.map(({ id }) => id).filter((id) => ABOUT[id].describesItself);
/** Minimum confidence of a detection. */
const MIN = 0.25;
/** Maximum confidence if another format fits nearly as well. */
const CONTESTED = 0.55;
/** Difference in confidence below which two formats contest each other. */
const MARGIN = 0.15;

interface Candidate {
  format: FormatId;
  confidence: number;
  sequence: boolean;
  reasons: string[];
}

/** Content-Types whose bytes are not tried. */
const MEDIA = /^(?:image|audio|video|font)\/|^text\/(?:html|css|javascript|xml)|javascript|^application\/(?:pdf|wasm|zip|xml|font)|ecmascript/i;
/** Framings of messages; `unwrap` puts a length before each. */
const FRAMES: readonly Wrapping[] = ['gRPC frames', 'gRPC-web frames', 'Connect envelopes'];
const NEEDS_SCHEMA = 'Avro, Bebop, js-binary and bare Protocol Buffers need a Content-Type or a schema';

/**
 * Detects the format of a body: by Content-Type, magic numbers, then trial reads. A Content-Type contradicted by the bytes
 * is ignored. Formats that only a schema could identify are not guessed. `framed` is the payload format declared by a
 * framing.
 */
export async function detectFormat(
  bytes: Uint8Array,
  contentType: string,
  isComplete: boolean,
  wrappings: Wrapping[],
  framed?: FormatId,
): Promise<Detection> {
  const nothing = (reason: string): Detection => ({ format: undefined, confidence: 0, reasons: [reason], sequence: false, wrappings });
  const isFramed = wrappings.some((wrapping) => FRAMES.includes(wrapping));
  if (bytes.length === 0 && !framed)
    return isFramed
      ? { ...nothing('the frames contain no message'), format: 'protobuf', confidence: 0.6, sequence: true }
      : nothing('the body is empty');
  if (framed)
    return {
      format: framed,
      confidence: 0.97,
      reasons: [`payloads of ${wrappings.at(-1)}`],
      sequence: framed !== 'avro',
      wrappings,
    };
  const declared = detectByMediaType(mediaTypeOf(contentType));
  if (!declared && MEDIA.test(contentType)) return nothing(`Content-Type ${contentType}`);
  if (looksLikeMarkup(bytes)) return nothing('starts like an HTML or XML document');
  const signature = signatureOf(bytes);
  if (signature) return nothing(`starts like ${signature}`);

  const candidates = await (isText(bytes) ? judgeText(bytes, isComplete) : judgeBinary(bytes, isComplete));
  if (isFramed) {
    const framed = candidates.find(({ format }) => format === 'protobuf' || format === 'json');
    candidates.length = 0;
    candidates.push(framed?.format === 'json' ? framed : { format: 'protobuf', confidence: 0.95, sequence: true, reasons: ['messages in frames'] });
  }
  if (declared?.sequence && TRIED.includes(declared.entry.id) && !candidates.some(({ format }) => format === declared.entry.id)) {
    const { id } = declared.entry;
    if (await fitsSequence(id, bytes, isComplete))
      candidates.push({ format: id, confidence: 0.9, sequence: true, reasons: ['the whole body parses as a sequence'] });
  }
  const isConfirmed = declared !== undefined && addDeclared(candidates, declared.entry, declared.sequence);

  candidates.sort((a, b) => b.confidence - a.confidence);
  const [best, next] = candidates;
  if (!best || best.confidence < MIN)
    return nothing(isText(bytes) ? 'the body is text, but not JSON' : `the bytes match no self-describing format; ${NEEDS_SCHEMA}`);
  // Another format that fits about as well makes the result uncertain.
  const isContested = !isConfirmed && next !== undefined && next.format !== best.format && next.confidence > best.confidence - MARGIN;
  const reasons = isContested ? [...best.reasons, `${next.format} fits nearly as well`] : best.reasons;
  if (formatEntry(best.format)!.schema === true) reasons.push('a schema is needed to interpret the values');
  return {
    format: best.format,
    confidence: isContested ? Math.min(best.confidence, CONTESTED) : best.confidence,
    reasons,
    sequence: best.sequence,
    wrappings,
    fitting: candidates.map(({ format }) => format),
  };
}

/** Weighs the Content-Type against the detected candidates. Returns true if they agree. */
function addDeclared(candidates: Candidate[], { id, schema }: FormatEntry, isSequence: boolean): boolean {
  const declaredReason = 'declared by Content-Type';
  const found = candidates.find(({ format }) => format === id);
  if (found) {
    found.confidence = Math.max(0.97, found.confidence);
    found.sequence ||= isSequence;
    found.reasons.unshift(declaredReason);
    return true;
  }
  const isSelfDescribing = TRIED.includes(id);
  const reasons = isSelfDescribing
    ? [declaredReason, 'but the body does not parse']
    : [declaredReason, 'which the bytes neither confirm nor contradict'];
  // For formats that need a schema, the Content-Type is the only evidence.
  const confidence = isSelfDescribing ? 0.5 : id === 'protobuf' ? 0.6 : schema === true || id === 'avro' ? 0.9 : 0.6;
  candidates.push({ format: id, confidence, sequence: isSequence, reasons });
  return false;
}

/** Detects JSON, or a Protocol Buffers message of mostly text, whose first tag 0x0a is a line feed. */
async function judgeText(bytes: Uint8Array, isComplete: boolean): Promise<Candidate[]> {
  const json = await tryFormat('json', bytes, isComplete);
  if (json) return [{ format: 'json', ...json }];
  if (bytes[0] !== 0x0a) return [];
  const confidence = Math.min(scoreMessage(bytes, !isComplete), 0.4);
  return confidence > 0 ? [{ format: 'protobuf', confidence, sequence: false, reasons: ['the whole text parses as a message'] }] : [];
}

async function judgeBinary(bytes: Uint8Array, isComplete: boolean): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const id of TRIED) {
    if (id === 'json' || !mayBegin(id, bytes, isComplete)) continue;
    const trial = await tryFormat(id, bytes, isComplete);
    if (trial) candidates.push({ format: id, ...trial });
  }
  const avro = judgeAvro(bytes);
  if (avro) candidates.push(avro);
  const protobuf = judgeProtobuf(bytes, isComplete);
  if (protobuf) candidates.push(protobuf);
  if (isComplete) {
    for (const [format, fits] of [
      ['capnproto', fitsCapnProto],
      ['flatbuffers', fitsFlatBuffer],
    ] as const) {
      const found = fits(bytes);
      if (found) candidates.push({ format, confidence: found.confidence, sequence: found.sequence, reasons: [found.reason] });
    }
  }
  return candidates;
}

/** True if the first bytes make a trial worthwhile. */
function mayBegin(id: FormatId, bytes: Uint8Array, isComplete: boolean): boolean {
  if (id === 'sia') return bytes[0]! <= 0x39;
  if (id !== 'bson' || !isComplete) return true;
  const size = bytes.length < 5 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getInt32(0, true);
  return size >= 5 && size <= bytes.length;
}

/**
 * Detects the magic number of a container, or the marker of a single object
 * (https://avro.apache.org/docs/1.12.0/specification/#single-object-encoding).
 */
function judgeAvro(bytes: Uint8Array): Candidate | undefined {
  if (SNIFFERS.avro!(bytes.subarray(0, 64)) === 1)
    return { format: 'avro', confidence: 1, sequence: false, reasons: ['magic number of a container'] };
  if (bytes[0] !== 0xc3 || bytes[1] !== 1 || bytes.length < 10) return undefined;
  return { format: 'avro', confidence: 0.8, sequence: false, reasons: ['marker of a single object, which needs a schema'] };
}

function judgeProtobuf(bytes: Uint8Array, isComplete: boolean): Candidate | undefined {
  const one = scoreMessage(bytes, !isComplete);
  const { confidence, messages } = scoreDelimited(bytes, !isComplete);
  if (one === 0 && confidence === 0) return undefined;
  if (confidence > one) {
    return { format: 'protobuf', confidence, sequence: true, reasons: [`the whole body parses as ${messages} length-delimited messages`] };
  }
  return { format: 'protobuf', confidence: one, sequence: false, reasons: ['the whole body parses as a message'] };
}

/** Types of Protocol Buffers messages that the library does not list: of Connect, and of vector tiles. */
const PROTOBUF_TYPES = /^\s*application\/(?:proto|(?:vnd\.mapbox-|x-)vector-tile)\s*(?=;|$)/i;

/** Content-Type by its general name. */
function mediaTypeOf(contentType: string): string {
  return contentType.replace(PROTOBUF_TYPES, 'application/protobuf');
}
