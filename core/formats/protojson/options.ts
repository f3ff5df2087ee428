import type { OptionTable } from '../../option-table.ts';
import {
  type ProtobufOptions,
  type ProtobufWriteOptions,
  READ_OPTIONS as PROTOBUF_READ,
  WRITE_OPTIONS as PROTOBUF_WRITE,
} from '../protobuf/options.ts';

/**
 * Options for reading ProtoJSON, the JSON mapping of Protocol Buffers (https://protobuf.dev/programming-guides/json). The form of the
 * values is that of `ProtobufOptions`: with the same options, a message in JSON gives the same value as its bytes.
 */
export interface ProtoJsonOptions extends Omit<ProtobufOptions, 'unknown' | 'schemaless'> {
  /**
   * Treatment of a key that the message does not have, and of a name that an enum does not have: a DecodeError, or skipped. Default
   * `error`.
   */
  unknown?: 'error' | 'skip' | undefined;
}

/**
 * Options for writing ProtoJSON. The value is one that Protocol Buffers can be written from, with the same options. Keys are those of
 * the JSON mapping, 64-bit integers are text, enums names, bytes base64, and fields with their default are left out.
 */
export interface ProtoJsonWriteOptions extends Omit<ProtobufWriteOptions, 'unknown'> {}

/** A schema as given by the user: the same as for Protocol Buffers. */
export type ProtoJsonSchemaInput = import('../protobuf/options.ts').ProtobufSchemaInput;

const { schemaless: _, ...reading } = PROTOBUF_READ;
const { unknown: __, ...writing } = PROTOBUF_WRITE;

/** Values of the options for reading. */
export const READ_OPTIONS: OptionTable<ProtoJsonOptions> = { ...reading, unknown: ['error', 'skip'] };

/** Values of the options for writing. */
export const WRITE_OPTIONS: OptionTable<ProtoJsonWriteOptions> = writing;
