import { detectByMediaType, HEAD_BYTES, looksLikeMarkup } from '../../worker/detect.ts';
import { type FormatEntry, type FormatId, FORMATS } from '../../worker/formats/registry.ts';
import * as is from '../../worker/sinks/span-tree.ts';
import type { SpanData } from '../../worker/sinks/span-tree.ts';
import { isMessage } from '../../worker/formats/protobuf/guess.ts';
import type { Detection, Wrapping } from './protocol.ts';
import { readSpans } from './read-spans.ts';

/** A format without a schema that a trial can tell. */
const TRIED: readonly FormatId[] = ['json', 'messagepack', 'cbor'];
/** What a trial needs at most. */
const TRIAL_BYTES = 256 * 1024;
/** Below this, nothing is claimed. */
const LEAST = 0.25;

interface Candidate {
  format: FormatId;
  confidence: number;
  sequence: boolean;
  reasons: string[];
}

/** Types of what is no data: their bytes are not tried. */
const MEDIA = /^(?:image|audio|video|font)\/|^text\/(?:html|css|javascript|xml)|javascript|^application\/(?:pdf|wasm|zip|xml|font)|ecmascript/i;

/**
 * What a body is: the Content-Type's word, then magic numbers, then what comes of reading it. A Content-Type that the
 * bytes contradict is not believed.
 */
export async function detectFormat(bytes: Uint8Array, contentType: string, whole: boolean, wrappings: Wrapping[]): Promise<Detection> {
  const nothing = (reason: string): Detection => ({ format: undefined, confidence: 0, reasons: [reason], sequence: false, wrappings });
  if (bytes.length === 0) return nothing('there are no bytes');
  const declared = detectByMediaType(contentType);
  if (!declared && MEDIA.test(contentType)) return nothing(`Content-Type ${contentType}`);
  if (looksLikeMarkup(bytes)) return nothing('the bytes begin as an HTML or XML document');

  const candidates: Candidate[] = [];
  const head = bytes.subarray(0, HEAD_BYTES);
  for (const entry of FORMATS) {
    const found = await judge(entry, bytes, head, whole, declared?.entry === entry);
    if (found) candidates.push({ ...found, sequence: found.sequence || (declared?.entry === entry && declared.sequence) });
  }
  if (wrappings.includes('gRPC-web frames')) {
    candidates.push({ format: 'protobuf', confidence: 0.95, sequence: true, reasons: ['the messages of gRPC-web'] });
  }
  candidates.sort((a, b) => b.confidence - a.confidence);
  const [best, next] = candidates;
  if (!best || best.confidence < LEAST) return nothing('the bytes fit no format that tells itself');
  // Two that fit about as well leave it open.
  const doubt = next && next.confidence > best.confidence - 0.15 ? `${next.format} fits nearly as well` : undefined;
  return {
    format: best.format,
    confidence: doubt ? Math.min(best.confidence, 0.6) : best.confidence,
    reasons: doubt ? [...best.reasons, doubt] : best.reasons,
    sequence: best.sequence,
    wrappings,
  };
}

async function judge(entry: FormatEntry, bytes: Uint8Array, head: Uint8Array, whole: boolean, isDeclared: boolean): Promise<Candidate | undefined> {
  const { id } = entry;
  const sniffed = entry.sniff(head, whole ? bytes.length : undefined);
  const declared = isDeclared ? ['Content-Type says so'] : [];
  if (TRIED.includes(id)) {
    const trial = await tryFormat(id, bytes, whole);
    if (trial) {
      const reasons = [...declared, ...trial.reasons];
      return { ...trial, confidence: isDeclared ? Math.max(0.97, trial.confidence) : trial.confidence, reasons };
    }
    return isDeclared ? { format: id, confidence: 0.5, sequence: false, reasons: [...declared, 'but the bytes do not read as it'] } : undefined;
  }
  if (id === 'protobuf') {
    const fits = isMessage(bytes, 0, bytes.length);
    if (isDeclared) return { format: id, confidence: fits ? 0.97 : 0.6, sequence: false, reasons: [...declared, fits ? 'the bytes are a message' : 'but the bytes are no message'] };
    return fits && whole ? { format: id, confidence: likelyMessage(bytes), sequence: false, reasons: ['the bytes can be a message, to the last one'] } : undefined;
  }
  if (sniffed >= 0.9) return { format: id, confidence: Math.max(sniffed, isDeclared ? 0.97 : 0), sequence: false, reasons: [...declared, 'the first bytes are its own'] };
  if (isDeclared) return { format: id, confidence: 0.9, sequence: false, reasons: declared };
  if (sniffed >= 0.5 && !entry.schema) {
    const { error } = await readSpans(bytes, { format: id });
    if (!error) return { format: id, confidence: 0.85, sequence: false, reasons: ['the bytes read as it to the last one'] };
  }
  return undefined;
}

/** What comes of reading the bytes, or their beginning, as a format that describes itself. */
async function tryFormat(format: FormatId, bytes: Uint8Array, whole: boolean): Promise<Candidate | undefined> {
  const part = bytes.length > TRIAL_BYTES ? bytes.subarray(0, TRIAL_BYTES) : bytes;
  const isCut = part.length < bytes.length || !whole;
  const once = await readSpans(part, { format });
  const isFine = (error: { code?: string | undefined } | undefined): boolean => !error || (isCut && error.code === 'truncated');
  if (isFine(once.error)) return { format, sequence: false, ...weigh(format, once.data, part) };
  // A container that is whole with another behind it is a sequence; a scalar says little.
  if (once.error?.code !== 'trailing-bytes' || once.data.count < 2 || once.data.kinds[1]! < is.ARRAY) return undefined;
  const many = await readSpans(part, { format, options: { sequence: true } });
  if (!isFine(many.error)) return undefined;
  const { confidence, reasons } = weigh(format, many.data, part);
  const allContainers = tops(many.data).every((node) => many.data.kinds[node]! >= is.ARRAY);
  if (!allContainers) return undefined;
  return { format, sequence: true, confidence: confidence * 0.95, reasons: [...reasons, `${tops(many.data).length} values in a row`] };
}

function tops(data: SpanData): number[] {
  const found: number[] = [];
  for (let at = 2; at < data.count && found.length < 1000; at = data.nexts[at]!) found.push(at);
  return found;
}

/** How much a tree says: that much text and structure comes out of other bytes by chance is unlikely. */
function weigh(format: FormatId, data: SpanData, bytes: Uint8Array): { confidence: number; reasons: string[] } {
  const root = data.kinds[1] ?? is.DOCUMENT;
  if (format === 'json') {
    return { confidence: root >= is.ARRAY ? 0.98 : bytes.length > 1 ? 0.7 : 0.3, reasons: ['the text follows the grammar'] };
  }
  let names = 0;
  let strings = 0;
  let odd = 0;
  const most = Math.min(data.count, 5_000);
  for (let node = 1; node < most; node += 1) {
    const kind = data.kinds[node]!;
    if (kind === is.STRING) strings += 1;
    const parent = data.kinds[data.parents[node]!];
    if (data.keys[node] !== is.NONE && (parent === is.OBJECT || parent === is.RECORD)) names += 1;
    if (kind === is.UNDEFINED || kind === is.TAGGED || kind === is.BIGINT) odd += 1;
  }
  if (root < is.ARRAY) return { confidence: bytes.length >= 4 ? 0.35 : 0.15, reasons: ['one value that takes all bytes'] };
  const isRich = names + strings >= 3;
  const base = names > 0 ? 0.93 : strings > 1 ? 0.85 : bytes.length > 32 ? 0.75 : 0.5;
  return {
    confidence: Math.max(0.3, base - (odd / most) * 0.8 - (isRich ? 0 : 0.1)),
    reasons: ['the bytes read as it to the last one'],
  };
}

/** Field numbers that people give, and text, speak for a message. */
function likelyMessage(bytes: Uint8Array): number {
  let fields = 0;
  let small = 0;
  let texts = 0;
  let at = 0;
  while (at < bytes.length && fields < 500) {
    let tag = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes[at++]!;
      tag += (byte & 0x7f) * scale;
      scale *= 128;
      if (byte < 0x80) break;
    }
    fields += 1;
    if (tag >>> 3 < 64) small += 1;
    if ((tag & 7) === 0) while (bytes[at++]! >= 0x80);
    else if ((tag & 7) === 1) at += 8;
    else if ((tag & 7) === 5) at += 4;
    else if ((tag & 7) === 2) {
      let length = 0;
      let factor = 1;
      for (;;) {
        const byte = bytes[at++]!;
        length += (byte & 0x7f) * factor;
        factor *= 128;
        if (byte < 0x80) break;
      }
      if (length > 2) texts += 1;
      at += length;
    }
  }
  const share = small / Math.max(1, fields);
  if (bytes.length < 6) return 0.26;
  return share < 0.9 ? 0.3 : texts > 0 && fields > 1 ? 0.7 : 0.45;
}
