import type { SpanSetting } from '../sinks/spans/builder.ts';

/** What is known of a format without loading it. */
export interface FormatFacts<Id extends string = string> {
  id: Id;
  /** Media types, the preferred first; a `+suffix` stands for any type that ends with it. */
  mediaTypes: readonly string[];
  /** Needs a schema: `mostly` where options may do without one, so that the reader asks for it. */
  schema: boolean | 'mostly';
}

/**
 * How sure the first bytes make a format, from 0 (cannot be) to 1 (a magic number). At most the first 64 bytes are given,
 * with the length of the whole input where it is known.
 */
export type Sniff = (head: Uint8Array, length?: number) => number;

/** What a file of a schema holds. Other files have a `doubtful` extension too: such a file is one only if its bytes are. */
export type SchemaFileKind = 'text' | 'binary' | 'doubtful';

/** What tools need to know of a format, such as the panel. A page that only decodes carries none of it. */
export interface FormatAbout {
  /** The format's name as people write it. */
  label: string;
  /** Reading the bytes tells whether they are of this format. Default false. */
  describesItself?: boolean;
  /** By its extension, in lower-case letters, what a file of a schema holds. */
  schemaFiles?: Readonly<Record<string, SchemaFileKind>>;
  /** Texts that are compiled before they are a schema here, and how that is done with one. */
  schemaSource?: { extension: string; compile: (name: string) => string };
  /** How the bytes of values lie. */
  spans?: SpanSetting;
  /** Options with which a reader reports where every value lies. */
  spanOptions?: object;
  /** The reader unpacks parts of the body, and announces windows of other bytes. Default false. */
  unpacks?: boolean;
}
