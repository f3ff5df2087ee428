import { fromAnyBase64 } from '../../adapter/bytes.ts';
import type { Header } from '../../adapter/adapter.ts';
import { compileSchema } from '../schemas/compile-schema.ts';
import { isPayload, textOf } from '../framings/framing.ts';
import type { RpcDetail, RpcStatus } from '../protocol.ts';
import type { Unwrapped } from '../framings/unwrap.ts';
import { valueOf } from '../what-if/try-forms.ts';

/** Status names by code (https://grpc.io/docs/guides/status-codes/). */
const CODES = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
];

/** The parts of a response that may hold a status. */
export interface RpcResponse {
  body: Unwrapped;
  /** HTTP status; 0 if unknown. */
  status: number;
  contentType: string;
  headers: readonly Header[];
}

/**
 * Status of a gRPC, gRPC-web or Connect call: from the trailers in the body, the headers of a response without a body, the
 * end of a Connect stream, or a Connect error. Undefined for other responses.
 */
export async function rpcStatusOf({ body, status, contentType, headers }: RpcResponse): Promise<RpcStatus | undefined> {
  const { framing, bytes } = body;
  if (framing?.wrapping === 'Connect envelopes') {
    const end = framing.pieces.find(({ type }) => type === 'end of stream')?.parts.find(isPayload);
    return end && connectStatus(textOf(bytes, end.from, end.end), true);
  }
  const inBody = framing?.pieces.find(({ type }) => type === 'trailers frame')?.parts.filter((part) => !isPayload(part) && part.type === 'header');
  const trailers =
    inBody?.map((part) => ({ name: part.name, value: String((part as { value: string }).value) })) ??
    headers.filter(({ name }) => /^grpc-/i.test(name));
  if (trailers.some(({ name }) => name.toLowerCase() === 'grpc-status')) return grpcStatus(trailers);
  // Unary Connect calls fail with an HTTP status and a JSON body.
  return status >= 400 && /^application\/json\b/i.test(contentType) && bytes.length < 1e6 ? connectStatus(textOf(bytes), false) : undefined;
}

async function grpcStatus(trailers: readonly Header[]): Promise<RpcStatus> {
  const valueFor = (name: string): string => trailers.find((trailer) => trailer.name.toLowerCase() === name)?.value ?? '';
  const code = Number(valueFor('grpc-status'));
  return {
    protocol: 'gRPC',
    code,
    name: CODES[code] ?? `code ${code}`,
    message: percentDecoded(valueFor('grpc-message')),
    details: await statusDetails(valueFor('grpc-status-details-bin')),
    trailers: [...trailers],
  };
}

/** Status from the end of a stream or an error body (https://connectrpc.com/docs/protocol#error-end-stream). */
async function connectStatus(text: string, isEnd: boolean): Promise<RpcStatus | undefined> {
  try {
    const parsed = JSON.parse(text) as { error?: ConnectError; metadata?: Record<string, string[]> } & ConnectError;
    const error = isEnd ? parsed.error : parsed;
    const metadata = isEnd ? Object.entries(parsed.metadata ?? {}) : [];
    const trailers = metadata.flatMap(([name, values]) => values.map((value) => ({ name, value: String(value) })));
    if (isEnd && !error) return { protocol: 'Connect', code: 0, name: 'OK', message: '', details: [], trailers };
    const code = CODES.indexOf(String(error?.code).toUpperCase().replace('CANCELED', 'CANCELLED'));
    if (code < 0 || !error) return undefined;
    const details = await Promise.all((error.details ?? []).map(({ type, value }) => detailOf(String(type), bytesOf(value))));
    return { protocol: 'Connect', code, name: CODES[code]!, message: String(error.message ?? ''), details, trailers };
  } catch {
    return undefined;
  }
}

interface ConnectError {
  code?: string;
  message?: string;
  details?: { type: string; value: string }[];
}

/** Details of a `google.rpc.Status` in base64. */
async function statusDetails(base64: string): Promise<RpcDetail[]> {
  if (base64 === '') return [];
  try {
    const status = (await decodeMessage('google.rpc.Status', bytesOf(base64))) as { details?: { type_url?: string; value?: Uint8Array }[] };
    return await Promise.all(
      (status.details ?? []).map(({ type_url: url = '', value = new Uint8Array(0) }) => detailOf(url.slice(url.lastIndexOf('/') + 1), value)),
    );
  } catch {
    return [{ type: 'grpc-status-details-bin', bytes: bytesOf(base64) }];
  }
}

async function detailOf(type: string, bytes: Uint8Array): Promise<RpcDetail> {
  try {
    return { type, bytes, value: await decodeMessage(type, bytes) };
  } catch {
    return { type, bytes };
  }
}

/**
 * Messages that describe the failure of a call, with the field numbers of
 * https://github.com/googleapis/googleapis/tree/master/google/rpc (status.proto, error_details.proto).
 */
const STATUS_DETAILS = `syntax = "proto3";
package google.rpc;
message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
message Any { string type_url = 1; bytes value = 2; }
message Duration { int64 seconds = 1; int32 nanos = 2; }
message ErrorInfo { string reason = 1; string domain = 2; map<string, string> metadata = 3; }
message RetryInfo { Duration retry_delay = 1; }
message DebugInfo { repeated string stack_entries = 1; string detail = 2; }
message QuotaFailure { message Violation { string subject = 1; string description = 2; } repeated Violation violations = 1; }
message PreconditionFailure { message Violation { string type = 1; string subject = 2; string description = 3; } repeated Violation violations = 1; }
message BadRequest { message FieldViolation { string field = 1; string description = 2; } repeated FieldViolation field_violations = 1; }
message RequestInfo { string request_id = 1; string serving_data = 2; }
message ResourceInfo { string resource_type = 1; string resource_name = 2; string owner = 3; string description = 4; }
message Help { message Link { string description = 1; string url = 2; } repeated Link links = 1; }
message LocalizedMessage { string locale = 1; string message = 2; }
`;

/** Message types defined by `STATUS_DETAILS`. */
const STATUS_MESSAGES = new Set(Array.from(STATUS_DETAILS.matchAll(/^message (\w+)/gm), ([, name]) => `google.rpc.${name}`));

/** Decodes a `google.rpc` message by its type, others by field numbers. */
async function decodeMessage(type: string, bytes: Uint8Array): Promise<unknown> {
  const schema = STATUS_MESSAGES.has(type)
    ? await compileSchema({ name: type, format: 'protobuf', input: { proto: STATUS_DETAILS, message: type } })
    : undefined;
  return valueOf({ bytes, format: 'protobuf', sequence: false }, schema);
}

/** Decodes base64; empty if invalid. */
function bytesOf(base64: string): Uint8Array {
  try {
    return fromAnyBase64(base64);
  } catch {
    return new Uint8Array(0);
  }
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
