import { joined } from '../../../core/bytes/byte-input.ts';
import { varintBytes } from '../../../core/bytes/varint.ts';
import { findFraming, type FramingHints } from './index.ts';
import { grpcWebText } from './grpc.ts';
import { type FramedPayload, type Framing, payloadsOf } from './framing.ts';
import { compressionOf, inflate, maxInflatedSize } from '../compression/inflate.ts';
import type { Overflow, Wrapping } from '../protocol.ts';
import { isText } from '../file-types/signatures.ts';

/** Maximum number of nested compressions to remove. */
const MAX_LAYERS = 4;

/** An unwrapped body. */
export interface Unwrapped {
  /** Body without compression and base64, but with its framing. */
  bytes: Uint8Array;
  /** Removed wrappings, outermost first. */
  wrappings: Wrapping[];
  framing: Framing | undefined;
  /** Payloads without the framing: length-delimited for Protocol Buffers, one per line for JSON. Equals `bytes` for an unframed body. */
  content: Uint8Array;
  /** Set if the body exceeds the size limit: `bytes` holds its beginning. */
  overflow: Overflow | undefined;
}

/** Hints about a body's wrapping, and limits. */
export interface UnwrapSetting extends FramingHints {
  /** Maximum size after decompression; the rest is dropped. Default: the largest safe size of a compressed body. */
  limit?: number | undefined;
}

/** Removes all wrappings of a body. Invalid ones are left in place. */
export async function unwrap(body: Uint8Array, setting: UnwrapSetting): Promise<Unwrapped> {
  const wrappings: Wrapping[] = [];
  const limit = Math.min(setting.limit ?? Infinity, maxInflatedSize(body.length));
  let overflow: Overflow | undefined;
  let bytes = body;
  while (wrappings.length < MAX_LAYERS && !overflow) {
    const compression = compressionOf(bytes);
    if (!compression) break;
    const found = await inflate(bytes, compression, limit).catch(() => undefined);
    if (!found) break;
    bytes = found.bytes;
    wrappings.push(compression);
    if (found.isCut) overflow = { wrapping: compression, limit };
  }
  if (!overflow && setting.limit !== undefined && bytes.length > setting.limit) {
    bytes = bytes.slice(0, setting.limit);
    overflow = { wrapping: undefined, limit };
  }
  const plain = grpcWebText(bytes, setting.contentType);
  const framing = overflow ? undefined : findFraming(plain ?? bytes, setting);
  if (!framing) return { bytes, wrappings, framing, content: bytes, overflow };
  if (plain) {
    bytes = plain;
    wrappings.push('base64');
  }
  wrappings.push(framing.wrapping);
  return { bytes, wrappings, framing, content: await contentOf(bytes, framing, limit), overflow };
}

async function contentOf(bytes: Uint8Array, framing: Framing, limit: number): Promise<Uint8Array> {
  const payloads = payloadsOf(framing).filter(({ format }) => format === undefined || format === framing.format);
  const messages: Uint8Array[] = [];
  let left = limit;
  for (const payload of payloads) {
    const message = await messageOf(bytes, payload, left);
    left -= message.length;
    messages.push(message);
  }
  if (!framing.isList) return messages[0] ?? bytes.subarray(0, 0);
  if (framing.format !== undefined && framing.format !== 'json' && framing.format !== 'protobuf') return joined(messages);
  const isJson = framing.format === 'json' || (messages.length > 0 && messages.every((message) => message[0] === 0x7b && isText(message)));
  const delimited = isJson
    ? messages.flatMap((message) => [message, Uint8Array.of(0x0a)])
    : messages.flatMap((message) => [varintBytes(message.length), message]);
  return joined(delimited);
}

/** Payload without the compression that its frame declares. Kept as is if it cannot be decompressed. */
async function messageOf(bytes: Uint8Array, { from, end, isCompressed }: FramedPayload, limit: number): Promise<Uint8Array> {
  const message = bytes.subarray(from, end);
  const compression = isCompressed ? compressionOf(message) : undefined;
  if (!compression || limit <= 0) return message;
  return inflate(message, compression, limit).then(
    (inflated) => inflated.bytes,
    () => message,
  );
}
