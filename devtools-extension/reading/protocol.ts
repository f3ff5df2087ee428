import type { MergeKind } from './merged/merge-kind.ts';
import type { Header, PageScript } from '../adapter/adapter.ts';
import type { FoundSchemas } from './found/types.ts';
import type { ErrorRecord } from '../../core/error-record.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import type { SearchQuery } from './search/search.ts';
import type { SpanData } from '../../core/sinks/spans/tree.ts';

/** Compression or framing removed from a body before reading. */
export type Wrapping =
  | 'gzip'
  | 'zlib'
  | 'zstd'
  | 'base64'
  | 'gRPC frames'
  | 'gRPC-web frames'
  | 'Connect envelopes'
  | 'Socket.IO packets'
  | 'Engine.IO packets'
  | 'SignalR messages'
  | 'multipart'
  | 'form'
  | 'React Server Components'
  | 'Confluent prefix'
  | 'JSON guard';

/** Detected format of a body, and why. */
export interface Detection {
  format: FormatId | undefined;
  /** From 0 to 1. */
  confidence: number;
  /** Reasons, for display. */
  reasons: string[];
  /** True for several concatenated values. */
  sequence: boolean;
  wrappings: Wrapping[];
  /** Formats that the bytes fit, or that the Content-Type declares, best first; absent if unknown. */
  fitting?: readonly FormatId[] | undefined;
  /** Set if the body decompresses to more than the panel opens without asking. */
  overflow?: Overflow | undefined;
  /** True if a call has a status and no message. */
  isTrailersOnly?: boolean;
  /** Status of a gRPC or Connect call. */
  rpc?: RpcStatus | undefined;
}

/** A body that exceeds the safe size, or the size that was asked for. */
export interface Overflow {
  /** Its compression; undefined without one. */
  wrapping: Wrapping | undefined;
  /** Maximum size that the panel reads. */
  limit: number;
}

/** Status of a gRPC, gRPC-web or Connect call. */
export interface RpcStatus {
  protocol: 'gRPC' | 'Connect';
  /** From 0 (OK) to 16. */
  code: number;
  name: string;
  message: string;
  details: RpcDetail[];
  trailers: Header[];
}

/** Detail message of a status. */
export interface RpcDetail {
  /** Full name of the message type. */
  type: string;
  bytes: Uint8Array;
  /** Decoded message, if it could be read. */
  value?: unknown;
}

/** Schema from the user, for the format's `compileSchema`. */
export interface SchemaInput {
  name: string;
  format: FormatId;
  /** Undefined if only options are given. */
  input: unknown;
  /** Options of the format's reader, such as `structures` for MessagePack. */
  options?: object;
  /** True if the page's code names it for the address. A body that it does not read to the end is read without it. */
  isClaim?: boolean;
}

export interface DetectRequest {
  bytes: Uint8Array;
  contentType: string;
  /** URL of the request. */
  url?: string | undefined;
  /** Kind of WebSocket message; undefined for other bodies. */
  message?: 'text' | 'binary' | undefined;
  /** HTTP status and headers of a response, which may hold a gRPC status. */
  status?: number;
  headers?: readonly Header[];
}

export interface ReadRequest extends DetectRequest {
  /** Format chosen by the user. */
  format?: FormatId | undefined;
  sequence?: boolean | undefined;
  schema?: SchemaInput | undefined;
  /** Earlier detection of the same bytes. */
  detected?: Detection | undefined;
  /** Maximum number of bytes to read, after decompression. */
  part?: number | undefined;
}

export interface ReadAnswer {
  detection: Detection;
  /** Body without compression and base64, but with its framing. */
  bytes: Uint8Array;
  /** Payloads without the framing, as a sequence. Equals `bytes` for an unframed body. */
  content: Uint8Array;
  /** True if only the requested beginning was read. */
  isPart: boolean;
  data: SpanData | undefined;
  error: ErrorRecord | undefined;
  milliseconds: number;
}

export interface EncodeRequest {
  bytes: Uint8Array;
  format: FormatId;
  sequence: boolean;
  schema?: SchemaInput | undefined;
}

/** Value of a request's body as editable text, or the reason why it cannot be edited. */
export type EditableBody =
  | {
      /** Indented JSON in the notation used for copying. */
      text: string;
      /** True if encoding the unedited text reproduces the bytes. */
      isSame: boolean;
      /** Size of the encoded unedited text. */
      size: number;
    }
  | { reason: string };

/** A problem in an edited text, with its range in UTF-16 units. */
export interface EditProblem {
  reason: string;
  from?: number;
  end?: number;
}

/** Encoded body and descriptions of values that its format changed, or a problem. */
export type WrittenBody = { bytes: Uint8Array; lost: string[] } | { problem: EditProblem };

/** Value of a body as one line of JSON in UTF-8, or the reason why it is missing or incomplete. */
export interface ExportedBody {
  format: FormatId | null;
  reason: string | undefined;
  json: Uint8Array | undefined;
}

/** A body that is open in the panel. */
export interface OpenTree {
  data: SpanData;
  bytes: Uint8Array;
  /** Empty if unknown. */
  format: string;
}

/** A message at a glance. */
export interface Glance {
  format: FormatId | undefined;
  /** Its first values; empty if it cannot be read. */
  text: string;
}

/** The sum of a stream's events so far. */
export interface MergedEvents {
  text: string;
  /** True for a value as JSON, false for the text of an answer. */
  isJson: boolean;
  reasoning: string;
  /** Calls of tools, with their arguments. */
  calls: string[];
  /** Why the answer ended, or `complete`; empty before that. */
  end: string;
  /** Error that an event reports; empty without one. */
  problem: string;
}

/** A matching value in a body. */
export interface BodyMatch {
  path: (string | number)[];
  /** Short text of the value. */
  text: string;
}

/** Form of an inferred description: a TypeScript type, or a schema of a format. */
export type InferredForm = 'typescript' | 'proto' | 'avsc';

/** One row of What if. */
export interface EncodedForm {
  name: string;
  format: FormatId;
  /** Reason why the form cannot represent the value. */
  problem?: string;
  size: number;
  gzip: number;
  /** Sizes after Brotli and Zstandard compression, if the browser has these. */
  brotli?: number;
  zstd?: number;
  /** Milliseconds to encode and to decode with this library: medians of the later half of up to twelve runs. */
  encode: number;
  decode: number;
  note?: string;
  /** Values that the format loses, for display. */
  lost?: string[];
}

/** Calls of the panel's worker, by name. */
export interface Calls {
  detect: { request: DetectRequest; answer: Detection };
  read: { request: ReadRequest; answer: ReadAnswer };
  /** Lists the types of a binary schema. Rejects if it is invalid. */
  schemaTypes: { request: { format: FormatId; bytes: Uint8Array; isDoubtful?: boolean }; answer: string[] };
  /** Reads the beginning of a message for its row. */
  glance: { request: ReadRequest; answer: Glance };
  /** Finds schemas in the scripts of a page. */
  findSchemas: { request: { scripts: readonly PageScript[] }; answer: FoundSchemas };
  /** Searches a body that is not open. */
  searchBody: { request: ReadRequest & { query: SearchQuery }; answer: { matches: BodyMatch[]; count: number } };
  /** Searches the open body with a query that may never end. */
  searchTree: { request: OpenTree & { query: SearchQuery }; answer: number[] };
  /** Reads the value at a path of a body that is not open. */
  pick: { request: ReadRequest & { path: readonly (string | number)[] }; answer: BodyMatch | undefined };
  /** Exports the value of a body that is not open. */
  exportBody: { request: ReadRequest; answer: ExportedBody };
  /** Prepares the value of a body for editing. */
  editable: { request: ReadRequest; answer: EditableBody };
  /** Encodes an edited value in the form of the original body. */
  writeBody: { request: ReadRequest & { text: string }; answer: WrittenBody };
  /** Merges the texts of events. */
  mergeEvents: { request: { kind: MergeKind; events: string[] }; answer: MergedEvents };
  /** Infers a description of a body's value. */
  infer: { request: EncodeRequest & { form: InferredForm }; answer: string };
  /** Keeps the value of a body. Returns the number of forms. */
  encodeStart: { request: EncodeRequest; answer: number };
  /** Encodes the value kept last in one form. Undefined if the worker was replaced since, and has no value. */
  encodeForm: { request: { index: number }; answer: EncodedForm | undefined };
}

export type CallName = keyof Calls;
export type CallMessage = { [Name in CallName]: { id: number; name: Name; request: Calls[Name]['request'] } }[CallName];
export type AnswerMessage = { id: number; answer: Calls[CallName]['answer'] } | { id: number; problem: string };
/** The first message of a worker. */
export type LoadedMessage = { hasLoaded: true };

/** Options of a call. */
export interface CallOptions {
  /** Cancels the call: a waiting one never starts, a long-running one is stopped with its worker. */
  signal?: AbortSignal | undefined;
  /** True if all other calls take precedence. */
  isBackground?: boolean;
  /** Time limit in milliseconds, if different from that of the call's name. */
  longest?: number | undefined;
}

/** Client of the panel's worker. Every call settles. */
export interface ReadingClient {
  /** Rejects with the worker's error, an `AbortError`, or a `TimeoutError` if the time limit is exceeded. */
  call<Name extends CallName>(name: Name, request: Calls[Name]['request'], options?: CallOptions): Promise<Calls[Name]['answer']>;
  close(): void;
}
