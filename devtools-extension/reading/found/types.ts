import type { ServiceMethod } from '../schemas/services.ts';

/** Schemas found in scripts: all messages in one FileDescriptorSet. */
export interface FoundSchemas {
  /** Serialised FileDescriptorSet; empty if nothing was found. */
  descriptorSet: Uint8Array;
  /** Messages by full name, with the script that declares each. */
  messages: FoundMessage[];
  methods: ServiceMethod[];
}

/** A message type, and where it was found. */
export interface FoundMessage {
  name: string;
  /** URL of the script. */
  where: string;
  /** Kind of code that declares it, for display. */
  by: string;
}

/** A field as the generated code declares it. */
export interface DraftField {
  name: string;
  number: number;
  /** Type number of descriptor.proto. */
  type: number;
  repeated?: boolean;
  /** Type of the messages of a field. Resolved after all scripts were read. */
  message?: (() => DraftMessage | undefined) | undefined;
  /** True if the messages are entries of a map. */
  isEntry?: boolean;
  /** Key and value of a map. */
  map?: { key: number; value: DraftField };
  /** Names of an enum's numbers, if the code has them. */
  values?: ReadonlyMap<number, string> | undefined;
}

/** A message type as the generated code declares it. */
export interface DraftMessage {
  name: string;
  fields: DraftField[];
  where: string;
  by: string;
}
