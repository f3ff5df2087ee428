/** Facts about a format that are available before its code is loaded. */
export interface FormatFacts<Id extends string = string> {
  id: Id;
  /** Media types, the preferred first. A `+suffix` matches every type that ends with it. */
  mediaTypes: readonly string[];
  /**
   * Whether a schema is needed; `mostly` if some options do without one, so that the reader asks for it. Null if none is
   * needed, but payloads hold only tables.
   */
  schema: boolean | 'mostly' | null;
}

/**
 * Scores how well the first bytes fit a format, from 0 (impossible) to 1 (a magic number). Receives at most the first
 * 64 bytes, and the length of the complete input if it is known.
 */
export type Sniff = (head: Uint8Array, length?: number) => number;

/** Content of a schema file. Files with a `doubtful` extension are schemas only if their bytes say so. */
export type SchemaFileKind = 'text' | 'binary' | 'doubtful';

/** Layout of a format's bytes. */
export interface SpanSetting {
  /**
   * Bytes before a value belong to the value, like tags and definitions; if false, they belong to its container, like
   * commas and white space. Default true.
   */
  prefixes?: boolean;
  /** Bytes that follow a string's payload and belong to it. Default 0. */
  tail?: number;
  /** True if the string that begins with this byte has its text elsewhere. */
  isElsewhere?: (token: number) => boolean;
  /** Text with a range can be decoded from the bytes again, as in JSON. Default false. */
  rereadText?: boolean;
  /**
   * The body, if the reader also announces windows of other bytes with offsets, such as unpacked blocks. Values in
   * those have no position in the body.
   */
  body?: Uint8Array;
  /** Values may lie outside their containers. Default false. */
  scattered?: boolean;
}

/** Facts that tools such as the panel need about a format. Pages that only decode do not load them. */
export interface FormatAbout {
  /** The format's name as people write it. */
  label: string;
  /** True if the bytes alone show whether they are of this format. Default false. */
  describesItself?: boolean;
  /** Content of a schema file, by its extension in lower case. */
  schemaFiles?: Readonly<Record<string, SchemaFileKind>>;
  /** Byte layout of values. */
  spans?: SpanSetting;
  /** Options with which a reader reports the position of every value. */
  spanOptions?: object;
  /** The reader unpacks parts of the body, and announces windows of other bytes. Default false. */
  unpacks?: boolean;
}

/** Row of the table of formats in the documentation, in Markdown. Only the generator of the table reads it. */
export interface FormatDocs {
  /** Versions and parts of the format that are read. */
  reads: string;
  /** Names of the options, and what is notable about them. */
  options: string;
}
