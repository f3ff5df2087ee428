import { ABOUT, type FormatId } from '../../../worker/formats/registry.ts';
import { asRecord, isRecord } from './shape.ts';

/** A value in a form, and how to read it again. */
export interface Encoded {
  bytes: Uint8Array;
  /** What the format's `compileSchema` would return. */
  schema?: unknown;
  options?: object;
  /** The value that was encoded, where the form asked for another: a record around it, other names. */
  value?: unknown;
  note?: string;
}

export interface Form {
  /** What tells it from the format's usual form. */
  variant?: string;
  format: FormatId;
  note?: string;
  /** Throws where the form cannot hold the value. */
  encode(value: unknown): Promise<Encoded>;
}

/** The form as people write it. */
export function formName({ format, variant }: Form): string {
  const { label } = ABOUT[format];
  return variant === undefined ? label : `${label}, ${variant}`;
}

const INFERRED = 'schema inferred from this value';

/** Every form that "what if" tries. The encoders load when they are first asked for. */
export const FORMS: readonly Form[] = [
  {
    format: 'json',
    encode: (value) => Promise.resolve({ bytes: new TextEncoder().encode(toJson(value)) }),
  },
  {
    format: 'messagepack',
    encode: async (value) => ({ bytes: new (await import('msgpackr/index-no-eval')).Packr({ useRecords: false }).pack(value) }),
  },
  {
    variant: 'records',
    format: 'messagepack',
    note: 'msgpackr’s extension: keys once for each shape',
    encode: async (value) => ({ bytes: new (await import('msgpackr/index-no-eval')).Packr({ useRecords: true }).pack(value) }),
  },
  {
    format: 'cbor',
    encode: async (value) => ({
      bytes: new (await import('cbor-x/index-no-eval')).Encoder({ useRecords: false, mapsAsObjects: true }).encode(value),
    }),
  },
  {
    variant: 'records',
    format: 'cbor',
    note: 'cbor-x’s tags: keys once for each shape',
    encode: async (value) => ({ bytes: new (await import('cbor-x/index-no-eval')).Encoder({ useRecords: true }).encode(value) }),
  },
  {
    format: 'bson',
    encode: async (value) => {
      const { serialize } = await import('bson');
      const isWrapped = !isRecord(value);
      const document = asRecord(value);
      return {
        bytes: serialize(document, { ignoreUndefined: false }),
        value: document,
        ...(isWrapped && { note: 'in a document, which alone stands at the root' }),
      };
    },
  },
  {
    format: 'sia',
    encode: async (value) => ({ bytes: (await import('./sia.ts')).encodeSia(value) }),
  },
  { format: 'protobuf', note: INFERRED, encode: async (value) => (await import('./protobuf.ts')).encodeProtobuf(value) },
  { format: 'avro', note: INFERRED, encode: async (value) => withNote(await (await import('./avro.ts')).encodeAvro(value)) },
  { format: 'bebop', note: INFERRED, encode: async (value) => (await import('./bebop.ts')).encodeBebop(value) },
  {
    format: 'flatbuffers',
    note: INFERRED,
    encode: async (value) => ({ ...(await import('./flatbuffers.ts')).encodeFlatBuffer(value), options: { vectors: 'bytes' } }),
  },
  {
    format: 'capnproto',
    note: INFERRED,
    encode: async (value) => ({ ...(await import('./capnproto.ts')).encodeCapnProto(value), options: { defaults: 'none' } }),
  },
  { format: 'jsbinary', note: INFERRED, encode: async (value) => (await import('./jsbinary.ts')).encodeJsBinary(value) },
];

function withNote({ note, ...encoded }: Encoded): Encoded {
  return { ...encoded, note: note === undefined ? INFERRED : `${INFERRED}; ${note}` };
}

function toJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (typeof item === 'bigint') return String(item);
    if (item instanceof Map) return Object.fromEntries(item);
    if (item instanceof Set) return [...item];
    if (item instanceof Uint8Array) return btoa(Array.from(item, (byte) => String.fromCharCode(byte)).join(''));
    return item;
  });
}
