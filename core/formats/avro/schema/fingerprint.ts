import { ARRAY, type AvroType, type AvroTypes, ENUM, FIXED, isNamed, MAP, RECORD, UNION } from './schema.ts';

/** The Parsing Canonical Form (https://avro.apache.org/docs/1.12.0/specification/#parsing-canonical-form-for-schemas). */
export function canonicalForm({ root, types }: AvroTypes): string {
  const seen = new Set<number>();
  const write = (index: number): string => {
    const type = types[index]!;
    const { kind, name } = type;
    if (kind === UNION) return `[${type.branches.map(write).join()}]`;
    if (kind === ARRAY) return `{"type":"array","items":${write(type.items)}}`;
    if (kind === MAP) return `{"type":"map","values":${write(type.items)}}`;
    if (!isNamed(kind) || seen.has(index)) return JSON.stringify(name);
    seen.add(index);
    return `{"name":${JSON.stringify(name)},${definition(type, write)}}`;
  };
  return write(root);
}

function definition({ kind, fields, symbols, size }: AvroType, write: (index: number) => string): string {
  switch (kind) {
    case RECORD:
      return `"type":"record","fields":[${fields.map(({ name, type }) => `{"name":${JSON.stringify(name)},"type":${write(type)}}`).join()}]`;
    case ENUM:
      return `"type":"enum","symbols":[${symbols.map((symbol) => JSON.stringify(symbol)).join()}]`;
    case FIXED:
      return `"type":"fixed","size":${size}`;
    default:
      throw new TypeError(`a type without a name: ${kind}`);
  }
}

/** Fingerprint of no bytes, which is also the polynomial. */
const EMPTY = 0xc15d213aa4d7a795n;
let table: BigUint64Array | undefined;

/** The 64-bit Rabin fingerprint, CRC-64-AVRO (https://avro.apache.org/docs/1.12.0/specification/#schema-fingerprints). */
function rabin(bytes: Uint8Array): bigint {
  table ??= BigUint64Array.from({ length: 256 }, (_, byte) => {
    let entry = BigInt(byte);
    for (let bit = 0; bit < 8; bit += 1) entry = (entry >> 1n) ^ ((entry & 1n) === 1n ? EMPTY : 0n);
    return entry;
  });
  let print = EMPTY;
  for (const byte of bytes) print = (print >> 8n) ^ table[Number((print ^ BigInt(byte)) & 0xffn)]!;
  return print;
}

/** Fingerprint of a schema as hexadecimal digits, in the byte order of a single object: lowest first. */
export function fingerprintOf(schema: AvroTypes): string {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, rabin(new TextEncoder().encode(canonicalForm(schema))), true);
  return hexOf(new Uint8Array(bytes.buffer), 0, 8);
}

/** Hexadecimal digits of `from..end`. */
export function hexOf(bytes: Uint8Array, from: number, end: number): string {
  let text = '';
  for (let at = from; at < end; at += 1) text += bytes[at]!.toString(16).padStart(2, '0');
  return text;
}
