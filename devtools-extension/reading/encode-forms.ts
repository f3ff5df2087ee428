import { gzipSync } from 'fflate';
import { DecodeSession } from '../../worker/decode.ts';
import { type FormatId, formatEntry } from '../../worker/formats/registry.ts';
import { resolveLimits } from '../../worker/limits.ts';
import { ObjectSink } from '../../worker/sinks/objects.ts';
import { encodeInferred } from './infer-protobuf.ts';
import type { EncodedForm, EncodeRequest } from './protocol.ts';

interface Form {
  name: string;
  format: FormatId;
  options?: object;
  note?: string;
  encode(value: unknown): Promise<{ bytes: Uint8Array; schema?: unknown; note?: string }>;
}

const FORMS: readonly Form[] = [
  {
    name: 'JSON',
    format: 'json',
    encode: (value) => Promise.resolve({ bytes: new TextEncoder().encode(toJson(value)) }),
  },
  {
    name: 'MessagePack',
    format: 'messagepack',
    encode: async (value) => ({ bytes: new (await import('msgpackr/index-no-eval')).Packr({ useRecords: false }).pack(value) }),
  },
  {
    name: 'MessagePack, records',
    format: 'messagepack',
    note: 'msgpackr’s extension: keys once for each shape',
    encode: async (value) => ({ bytes: new (await import('msgpackr/index-no-eval')).Packr({ useRecords: true }).pack(value) }),
  },
  {
    name: 'CBOR',
    format: 'cbor',
    encode: async (value) => ({ bytes: new (await import('cbor-x/index-no-eval')).Encoder({ useRecords: false, mapsAsObjects: true }).encode(value) }),
  },
  {
    name: 'CBOR, records',
    format: 'cbor',
    note: 'cbor-x’s tags: keys once for each shape',
    encode: async (value) => ({ bytes: new (await import('cbor-x/index-no-eval')).Encoder({ useRecords: true }).encode(value) }),
  },
  {
    name: 'Protocol Buffers',
    format: 'protobuf',
    encode: async (value) => {
      const { bytes, proto } = encodeInferred(value);
      const module = (await formatEntry('protobuf')!.load()).default;
      return { bytes, schema: await module.compileSchema!({ proto, message: 'Root' }), note: 'schema inferred from this value' };
    },
  },
];

/** The value of a body in other formats: their sizes, and the time to decode each here. */
export async function encodeForms({ bytes, format, sequence }: EncodeRequest, schema: unknown): Promise<EncodedForm[]> {
  const value = await decode(format, bytes, { sequence, ...(format === 'protobuf' && !schema ? { schemaless: true } : {}) }, schema);
  const forms: EncodedForm[] = [];
  for (const form of FORMS) {
    try {
      const encoded = await form.encode(value);
      const size = encoded.bytes.length;
      let best = Infinity;
      for (let run = 0; run < 3; run += 1) {
        const start = performance.now();
        await decode(form.format, encoded.bytes, form.options ?? {}, encoded.schema);
        best = Math.min(best, performance.now() - start);
        if (size > 4e6) break;
      }
      const note = encoded.note ?? form.note;
      forms.push({ name: form.name, size, gzip: gzipSync(encoded.bytes, { level: 6 }).length, decode: best, ...(note ? { note } : {}) });
    } catch (error) {
      forms.push({ name: form.name, size: 0, gzip: 0, decode: 0, problem: (error as Error).message });
    }
  }
  return forms;
}

async function decode(format: FormatId, bytes: Uint8Array, options: object, schema: unknown): Promise<unknown> {
  const module = (await formatEntry(format)!.load()).default;
  await module.prepare?.(bytes);
  const sink = new ObjectSink((tag, inner) => module.revive?.(tag, inner));
  const session = new DecodeSession({ id: format, format: module, options, limits: resolveLimits(), schema }, sink);
  session.push(bytes);
  session.end();
  return sink.result;
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
