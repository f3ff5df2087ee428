import type { Framing, Piece } from './framing.ts';

/** Prefixes that stop other origins from running JSON as a script: `)]}'`, `for(;;);`, `while(1);`, with an optional line end. */
const GUARD = /^(?:\)\]\}'?,?|for\s*\(;;\);|while\s*\(1\);|&&&START&&&)\s*/;
const MAX_GUARD = 16;

/** JSON after a guard prefix. */
export function findGuard(bytes: Uint8Array): Framing | undefined {
  const first = bytes[0];
  if (first !== 0x29 && first !== 0x66 && first !== 0x77 && first !== 0x26) return undefined;
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, MAX_GUARD));
  const length = GUARD.exec(head)?.[0].length ?? 0;
  if (length === 0 || ![0x7b, 0x5b].includes(bytes[length]!)) return undefined;
  const piece: Piece = {
    type: 'guarded JSON',
    from: 0,
    end: bytes.length,
    parts: [
      { name: 'guard', type: 'guard', from: 0, end: length, value: head.slice(0, length) },
      { name: 'value', from: length, end: bytes.length, format: 'json' },
    ],
  };
  return { wrapping: 'JSON guard', isList: false, pieces: [piece], format: 'json' };
}

/**
 * Payload after a schema id, as written for Confluent's schema registry. The prefix is ambiguous, so it is expected only if the Content-Type suggests it.
 *
 *     uint8 0, uint32 schema id, payload
 *     Protocol Buffers only, after the id: varints that select the message in the schema; 0 is the first
 *
 * https://docs.confluent.io/platform/current/schema-registry/fundamentals/serdes-develop/index.html#wire-format
 */
export function findConfluent(bytes: Uint8Array, contentType: string): Framing | undefined {
  const isNamed = /confluent|schema-?registry|kafka\.(?:avro|protobuf|json)/i.test(contentType);
  if (bytes.length < 6 || bytes[0] !== 0 || (!isNamed && !/^(?:avro\/binary|application\/(?:vnd\.apache\.)?avro)\b/i.test(contentType)))
    return undefined;
  const id = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  // An id of 0 or of many millions is less likely than a datum that starts with zeros.
  if (id === 0 || id > 10_000_000) return undefined;
  const isProtobuf = /protobuf/i.test(contentType);
  const from = isProtobuf ? 6 : 5;
  if (isProtobuf && bytes[5] !== 0) return undefined;
  const parts: Piece['parts'] = [
    { name: 'magic', type: 'uint8', from: 0, end: 1, value: 0 },
    { name: 'schema id', type: 'uint32', from: 1, end: 5, value: id },
  ];
  if (isProtobuf) parts.push({ name: 'message index', type: 'varint', from: 5, end: 6, value: 0 });
  parts.push({ name: 'value', from, end: bytes.length });
  const format = isProtobuf ? 'protobuf' : /json/i.test(contentType) ? 'json' : 'avro';
  return {
    wrapping: 'Confluent prefix',
    isList: false,
    pieces: [{ type: 'message of a registered schema', from: 0, end: bytes.length, parts }],
    format,
  };
}
