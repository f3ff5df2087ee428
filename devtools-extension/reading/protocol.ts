import type { Header } from '../adapter/adapter.ts';
import type { ErrorRecord } from '../../core/error-record.ts';
import type { FormatId } from '../../core/formats/registry.ts';
import type { Language } from './file-types/language.ts';
import type { BareCompression } from './compression/inflate.ts';
import type { SearchQuery } from './search/search.ts';
import type { SpanData } from '../../core/sinks/spans/tree.ts';

/** What a body lies in, that was taken off before it was read. */
export type Wrapping =
  | 'gzip'
  | 'zlib'
  | 'zstd'
  | 'lz4 block'
  | 'deflate'
  | 'base64'
  | 'gRPC frames'
  | 'gRPC-web frames'
  | 'Connect envelopes'
  | 'Socket.IO packets'
  | 'Engine.IO packets'
  | 'SignalR messages'
  | 'multipart'
  | 'form'
  | 'Confluent prefix'
  | 'JSON guard';

/** What a body was taken for, and why. */
export interface Detection {
  format: FormatId | undefined;
  /** From 0 to 1. */
  confidence: number;
  /** In words, for people. */
  reasons: string[];
  /** Several values one after the other. */
  sequence: boolean;
  wrappings: Wrapping[];
  /** The body grows to more than the panel opens unasked. */
  overflow?: Overflow | undefined;
  /** How the call ended, of gRPC and Connect. */
  rpc?: RpcStatus | undefined;
}

/** Compression that grows to more than is safe. */
export interface Overflow {
  wrapping: Wrapping;
  /** Bytes up to which the panel unpacks it. */
  most: number;
}

/** How a call of gRPC, gRPC-web or Connect ended. */
export interface RpcStatus {
  protocol: 'gRPC' | 'Connect';
  /** From 0, OK, to 16. */
  code: number;
  name: string;
  message: string;
  details: RpcDetail[];
  trailers: Header[];
}

/** What a status says besides its message. */
export interface RpcDetail {
  /** The full name of the message's type. */
  type: string;
  bytes: Uint8Array;
  /** The message as plain data, where it could be read. */
  value?: unknown;
}

/** A schema as the user gave it, for the format's `compileSchema`. */
export interface SchemaInput {
  name: string;
  format: FormatId;
  /** Undefined where the options are all there is. */
  input: unknown;
  /** Options of the format's reader, such as `structures` of MessagePack. */
  options?: object;
}

export interface DetectRequest {
  bytes: Uint8Array;
  contentType: string;
  /** The address of the request. */
  url?: string | undefined;
  /** The bytes are a message of a WebSocket. */
  message?: 'text' | 'binary' | undefined;
  /** The HTTP status and headers of a response, which may say how a call of gRPC ended. */
  status?: number;
  headers?: readonly Header[];
}

export interface ReadRequest extends DetectRequest {
  /** What the user says it is. */
  format?: FormatId | undefined;
  sequence?: boolean | undefined;
  schema?: SchemaInput | undefined;
  /** What the bytes were taken for before. */
  detected?: Detection | undefined;
  /** The bytes are compressed in a way that they do not tell. */
  bare?: BareCompression | undefined;
  /** Reads no more than so many bytes of what a compressed body grows to. */
  part?: number | undefined;
}

export interface ReadAnswer {
  detection: Detection;
  /** The body without compression and base64; a framing stays. */
  bytes: Uint8Array;
  /** The payloads without the framing, as a sequence; the same as `bytes` where there is none. */
  content: Uint8Array;
  /** Only the beginning was read, as it was asked for. */
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

/** The value of a request's body as text that can be edited, or why there is none. */
export type EditableBody =
  | {
      /** Indented JSON, in which what JSON lacks is marked as in what is copied. */
      text: string;
      /** The text as it is makes the same bytes. */
      isSame: boolean;
      /** Bytes that the text as it is makes. */
      size: number;
    }
  | { reason: string };

/** What is wrong with an edited text, and where, in UTF-16 units. */
export interface EditProblem {
  reason: string;
  from?: number;
  end?: number;
}

/** A body whose value was edited, and the values that its format does not hold as they were written, in words. */
export type WrittenBody = { bytes: Uint8Array; lost: string[] } | { problem: EditProblem };

/** A body's value as JSON on one line, in UTF-8; or why there is none, or not all of it. */
export interface ExportedBody {
  format: FormatId | null;
  reason: string | undefined;
  json: Uint8Array | undefined;
}

/** A body as the panel has it open. */
export interface OpenTree {
  data: SpanData;
  bytes: Uint8Array;
  /** Empty where it has none. */
  format: string;
}

/** A value of a body that was found. */
export interface BodyMatch {
  path: (string | number)[];
  /** The value in short. */
  text: string;
}

/** What a value can be described by: a type of TypeScript, a JSON Schema, or a schema of a format, made up for it. */
export type InferredForm = 'typescript' | 'jsonSchema' | 'proto' | 'avsc' | 'bop';

/** One line of "what if". */
export interface EncodedForm {
  name: string;
  /** Why it cannot be, where it cannot. */
  problem?: string;
  size: number;
  gzip: number;
  /** Milliseconds to decode with the library's reader: the median of up to five. */
  decode: number;
  note?: string;
  /** What the format has not kept of the value, in words. */
  lost?: string[];
}

/** A body whose value is kept, to be written in other forms. */
export interface KeptBody {
  /** How many forms there are. */
  forms: number;
  /** Bytes as it is, without what it is wrapped in, and what gzip makes of them. */
  size: number;
  gzip: number;
}

/** What a value takes in a form. */
export interface FormSize {
  name: string;
  /** Undefined where the form cannot hold it. */
  size: number | undefined;
  gzip: number;
}

/** What the panel's worker does, by name. */
export interface Calls {
  detect: { request: DetectRequest; answer: Detection };
  read: { request: ReadRequest; answer: ReadAnswer };
  /** Decodes a body, wrapped or not, to a plain value. Answers with what that takes, in milliseconds. */
  time: { request: EncodeRequest; answer: number };
  /** The types that a schema in bytes defines; a problem where it is none. */
  schemaTypes: { request: { format: FormatId; bytes: Uint8Array }; answer: string[] };
  /** Searches a body that is not open. */
  searchBody: { request: ReadRequest & { query: SearchQuery }; answer: { matches: BodyMatch[]; count: number } };
  /** Searches the body that is open, for what may take for ever. */
  searchTree: { request: OpenTree & { query: SearchQuery }; answer: number[] };
  /** The value at a path of a body that is not open. */
  pick: { request: ReadRequest & { path: readonly (string | number)[] }; answer: BodyMatch | undefined };
  /** The value of a body that is not open, to be saved. */
  exportBody: { request: ReadRequest; answer: ExportedBody };
  /** The value of a body, to be edited. */
  editable: { request: ReadRequest; answer: EditableBody };
  /** Writes an edited value as the body was written. */
  writeBody: { request: ReadRequest & { text: string }; answer: WrittenBody };
  /** Formats a body of text. */
  formatText: { request: { bytes: Uint8Array; language: Language }; answer: Uint8Array };
  /** Describes the value of a body. */
  infer: { request: EncodeRequest & { form: InferredForm }; answer: string };
  /** Keeps the value of a body. Answers with how many forms there are. */
  encodeStart: { request: EncodeRequest; answer: number };
  /** Tries a form on the value that was kept last. */
  encodeForm: { request: { index: number }; answer: EncodedForm };
  /** Keeps the value of a body that is not open. A problem where it cannot be read, or only without a schema. */
  sizeStart: { request: ReadRequest; answer: KeptBody };
  /** What the value that was kept last so takes in a form. */
  sizeForm: { request: { index: number }; answer: FormSize };
}

export type CallName = keyof Calls;
export type CallMessage = { [Name in CallName]: { id: number; name: Name; request: Calls[Name]['request'] } }[CallName];
export type AnswerMessage = { id: number; answer: Calls[CallName]['answer'] } | { id: number; problem: string };

/** How a call is made. */
export interface CallOptions {
  /** Ends the call: what waits is never begun, and what runs for long is stopped with the worker. */
  signal?: AbortSignal | undefined;
  /** The call waits for all that are not in the background. */
  isBackground?: boolean;
  /** Milliseconds that it may run, where that is less than others of its name may. */
  longest?: number | undefined;
}

/** The panel's worker, from the panel's side. Every call settles. */
export interface ReadingClient {
  /** Rejects with the worker's error, with an `AbortError`, or with a `TimeoutError` where the work takes too long. */
  call<Name extends CallName>(name: Name, request: Calls[Name]['request'], options?: CallOptions): Promise<Calls[Name]['answer']>;
  close(): void;
}
