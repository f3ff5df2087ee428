import { SchemaError } from '../../../core/errors.ts';
import { readHeader, startsAsContainer } from '../../../core/formats/avro/container/container.ts';
import { fingerprintOf } from '../../../core/formats/avro/schema/fingerprint.ts';
import { parseSchema } from '../../../core/formats/avro/schema/parse.ts';
import type { AvroSchema } from '../../../core/formats/avro/schema/schema.ts';
import { Message } from '../../../core/formats/capnproto/read/message.ts';
import { looksPacked } from '../../../core/formats/capnproto/read/packed.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import { formatEntry } from '../../../core/formats/registry.ts';
import { RECORD } from '../../../core/sinks/spans/tree.ts';
import { readSpans } from '../spans/read-spans.ts';
import { messagesIn, numberSchema } from './number-schema.ts';

/** Form of a payload, as far as its bytes reveal it. */
export interface PayloadForm {
  format: FormatId;
  sequence: boolean;
  /** Reader options that come with the schema, such as `structures`. */
  options: object | undefined;
  /** Result of the format's `compileSchema`. */
  schema: unknown;
}

/** Options for reading a payload and writing it back without loss. */
export interface BothOptions {
  read: object;
  write: object;
  schema: unknown;
}

/** Options with which reading and writing a payload reproduces it. */
export async function bothOptions(bytes: Uint8Array, form: PayloadForm): Promise<BothOptions> {
  const { format, sequence, schema, options = {} } = form;
  const both = (read: object, write: object = {}): BothOptions => ({
    read: { ...options, sequence, ...read },
    write: { ...options, sequence, ...write },
    schema,
  });
  switch (format) {
    case 'json':
      return both({ bigints: 'bigint' }, { bigints: 'number', nonFinite: 'error' });
    case 'messagepack':
    case 'cbor': {
      const hasRecords = await usesRecords(bytes, form);
      // In payloads with records, maps are decoded as Map to tell them apart.
      return hasRecords ? both({ maps: 'map' }, { records: true, ...copiedStructures(options) }) : both({});
    }
    case 'bson':
      return both({ types: 'classes', int64: 'bigint' });
    case 'avro':
      return avroOptions(bytes, form, both);
    case 'protobuf':
      return {
        ...both({ names: 'proto', unknown: 'keep' }, { names: 'proto' }),
        schema: schema ?? numberSchema(sequence ? messagesIn(bytes) : [bytes]),
      };
    case 'capnproto':
      return both({}, { packed: isPacked(bytes, sequence) });
    default:
      if (schema === undefined && formatEntry(format)?.schema) throw new SchemaError(`${format} needs a schema: drop it on the panel`);
      return both({});
  }
}

/** True if a payload has records, which store their keys once. */
async function usesRecords(bytes: Uint8Array, { format, options, sequence }: PayloadForm): Promise<boolean> {
  const { data } = await readSpans(bytes, { format, options: { ...options, sequence } });
  return data.kinds.subarray(0, data.count).includes(RECORD);
}

/** Copies the structures, because the writer appends new ones. */
function copiedStructures(options: { structures?: readonly unknown[] }): object {
  return options.structures ? { structures: [...options.structures] } : {};
}

function avroOptions(bytes: Uint8Array, { schema }: PayloadForm, both: (read: object, write?: object) => BothOptions): BothOptions {
  if (bytes.length >= 4 && startsAsContainer(bytes, 0, bytes.length)) {
    const header = readHeader(bytes, 0, bytes.length, 0, bytes.length);
    if ('needed' in header) throw new SchemaError('the container ends inside its header');
    const writerSchema = parseSchema(header.schema);
    const own: AvroSchema = { writerSchema, readerSchema: undefined, registered: { [fingerprintOf(writerSchema)]: writerSchema } };
    const framing = { framing: 'container' };
    return { ...both(framing, { ...framing, codec: header.codec, syncMarker: header.sync.slice() }), schema: own };
  }
  if (schema === undefined) throw new SchemaError('Avro needs a schema: drop its .avsc on the panel');
  const framing = { framing: bytes[0] === 0xc3 && bytes[1] === 0x01 ? 'object' : 'datum' };
  return { ...both(framing, framing), schema: { ...(schema as AvroSchema), readerSchema: undefined } };
}

function isPacked(bytes: Uint8Array, sequence: boolean): boolean {
  const message = new Message();
  message.useWindow(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0);
  return looksPacked(message, 0, bytes.length, false, sequence);
}
