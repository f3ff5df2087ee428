/**
 * The program under test of the Protocol Buffers conformance suite. Reads requests from its input and writes responses to its
 * output, each after its 32-bit length (https://github.com/protocolbuffers/protobuf/tree/main/conformance). Its argument is
 * the folder of the suite's `.proto` files.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, stdin, stdout } from 'node:process';
import { compileSchema, DecodeError, decodeSync, EncodeError, encodeSync, LimitError } from '../../../main/sync.ts';
import protobuf from '../../../core/formats/protobuf/index.ts';
import type { ProtobufSchema } from '../../../core/formats/protobuf/schema/schema.ts';
import protobufWriter from '../../../core/formats/protobuf/writer.ts';
import protojson from '../../../core/formats/protojson/index.ts';
import protojsonWriter from '../../../core/formats/protojson/writer.ts';

interface Request {
  protobuf_payload?: Uint8Array;
  json_payload?: string;
  text_payload?: string;
  requested_output_format?: string;
  message_type: string;
  test_category?: string;
}

/** A message of the suite. */
interface Response {
  parse_error?: string;
  serialize_error?: string;
  runtime_error?: string;
  protobuf_payload?: Uint8Array;
  json_payload?: string;
  skipped?: string;
}

/** File by package. */
const FILES: Readonly<Record<string, string>> = {
  conformance: 'conformance/conformance.proto',
  'protobuf_test_messages.proto2': 'google/protobuf/test_messages_proto2.proto',
  'protobuf_test_messages.proto3': 'google/protobuf/test_messages_proto3.proto',
  'protobuf_test_messages.editions': 'google/protobuf/test_messages_edition2023.proto',
  'protobuf_test_messages.editions.proto2': 'google/protobuf/test_messages_proto2_editions.proto',
  'protobuf_test_messages.editions.proto3': 'google/protobuf/test_messages_proto3_editions.proto',
};

/** Options that keep everything in a message for writing it again. */
const WHOLE = { defaults: 'none', maps: 'map' } as const;

const schemas = new Map<string, ProtobufSchema>();

async function schemaOf(message: string): Promise<ProtobufSchema> {
  const known = schemas.get(message);
  if (known !== undefined) return known;
  const path = FILES[message.slice(0, message.lastIndexOf('.'))];
  if (path === undefined) throw new RangeError(`no file has ${message}`);
  const schema = await compileSchema(protobuf, { proto: readFileSync(join(argv[2]!, path), 'utf8'), message });
  schemas.set(message, schema);
  return schema;
}

async function answer(request: Request): Promise<Response> {
  const { protobuf_payload: payload, json_payload: json, requested_output_format: output, message_type: type, test_category: category } = request;
  // The runner reads the expected failures from a file.
  if (type === 'conformance.FailureSet') return { protobuf_payload: new Uint8Array(0) };
  if ((payload === undefined && json === undefined) || (output !== 'PROTOBUF' && output !== 'JSON')) return { skipped: 'only binary and JSON' };
  const schema = await schemaOf(type);
  let value: unknown;
  try {
    const unknown = category === 'JSON_IGNORE_UNKNOWN_PARSING_TEST' ? 'skip' : 'error';
    value =
      payload === undefined
        ? decodeSync(protojson, new TextEncoder().encode(json), { schema, options: { ...WHOLE, unknown } })
        : decodeSync(protobuf, payload, { schema, options: { ...WHOLE, unknown: 'keep' } });
  } catch (error) {
    if (error instanceof DecodeError || error instanceof LimitError) return { parse_error: error.message };
    throw error;
  }
  try {
    if (output === 'JSON') return { json_payload: new TextDecoder().decode(encodeSync(protojsonWriter, value, { schema })) };
    return { protobuf_payload: encodeSync(protobufWriter, value, { schema }) };
  } catch (error) {
    if (error instanceof EncodeError) return { serialize_error: error.message };
    throw error;
  }
}

async function serve(): Promise<void> {
  const [requests, responses] = await Promise.all([schemaOf('conformance.ConformanceRequest'), schemaOf('conformance.ConformanceResponse')]);
  let pending = Buffer.alloc(0);
  for await (const chunk of stdin) {
    pending = Buffer.concat([pending, chunk as Buffer]);
    while (pending.length >= 4 && pending.length >= 4 + pending.readUInt32LE(0)) {
      const end = 4 + pending.readUInt32LE(0);
      const request = decodeSync<Request>(protobuf, pending.subarray(4, end), { schema: requests, options: { enums: 'name', names: 'proto' } });
      pending = pending.subarray(end);
      const response = await answer(request).catch((error: unknown): Response => ({ runtime_error: String(error) }));
      const bytes = encodeSync(protobufWriter, response, { schema: responses, options: { names: 'proto' } });
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      stdout.write(Buffer.concat([length, bytes]));
    }
  }
}

await serve();
