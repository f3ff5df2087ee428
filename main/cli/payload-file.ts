import { SchemaError } from '../../core/errors.ts';
import { check } from '../../core/check-names.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import { HEAD_BYTES } from '../../core/formats/detect.ts';
import { formatEntry, FORMATS, SNIFFERS } from '../../core/formats/registry.ts';
import { endingOf, type SchemaFile } from './schema-file.ts';

/** A format, with the options with which a file of it is read and written. */
export interface FileFormat {
  readonly format: FormatId;
  readonly reading?: object;
  readonly writing?: object;
}

const sequenceOf = (format: FormatId): FileFormat => ({ format, reading: { sequence: true }, writing: { sequence: true } });

/** Formats by the endings of their files, in lower case. */
const ENDINGS: Readonly<Record<string, FileFormat>> = {
  json: { format: 'json' },
  geojson: { format: 'json' },
  ndjson: sequenceOf('json'),
  jsonl: sequenceOf('json'),
  msgpack: { format: 'messagepack' },
  cbor: { format: 'cbor' },
  cborseq: sequenceOf('cbor'),
  bson: { format: 'bson' },
  avro: { format: 'avro', writing: { framing: 'container' } },
  arrow: { format: 'arrow', writing: { framing: 'file' } },
  arrows: { format: 'arrow' },
  sia: { format: 'sia' },
  pb: { format: 'protobuf' },
  binpb: { format: 'protobuf' },
};

/** Names that `--from` and `--to` take: those of formats, and of sequences. */
const NAMES: readonly string[] = [...FORMATS.map(({ id }) => id), 'ndjson', 'cborseq'];

/**
 * The format of a payload: the named one, with the options of the file's ending if that is of the same format, or that of the
 * ending. Undefined if neither says it. Throws a TypeError that names the nearest for an unknown name.
 */
export function fileFormat(name: string | undefined, path: string): FileFormat | undefined {
  const byEnding = Object.hasOwn(ENDINGS, endingOf(path)) ? ENDINGS[endingOf(path)] : undefined;
  if (name === undefined) return byEnding;
  check('unknown format', name, NAMES);
  if (byEnding?.format === name) return byEnding;
  return formatEntry(name) ? { format: name as FormatId } : ENDINGS[name];
}

/**
 * Formats that a payload may have, the likeliest by its first bytes first, and newline-delimited JSON. Bytes of one binary format are
 * often those of another for a while, so that only reading them to their end tells.
 */
export function candidates(bytes: Uint8Array): FileFormat[] {
  const head = bytes.subarray(0, HEAD_BYTES);
  const scored = FORMATS.map(({ id }) => ({ format: id, score: SNIFFERS[id]?.(head, bytes.length) ?? 0 })).filter(({ score }) => score > 0);
  const likely = scored.toSorted((a, b) => b.score - a.score).map(({ format }): FileFormat => ({ format }));
  return likely.some(({ format }) => format === 'json') ? [...likely, sequenceOf('json')] : likely;
}

/** Formats whose schemas have several types, of which one is the payload's. */
const NAMES_TYPE: readonly string[] = ['protobuf', 'bebop', 'capnproto'];

/**
 * A schema of a file as `decode` and `encode` take it. `type` is the name of the payload's type. Throws a SchemaError if it is
 * needed and missing, or if a schema of JSON is no JSON.
 */
export function schemaOf(format: string, { content, imports }: SchemaFile, type: string | undefined): object {
  if (type === undefined && NAMES_TYPE.includes(format)) throw new SchemaError(`the schema has several types: add --type with that of the payload`);
  if (format === 'protobuf') return { [typeof content === 'string' ? 'proto' : 'descriptorSet']: content, imports, message: type };
  if (format === 'bebop') return { bop: content, imports, record: type };
  if (format === 'flatbuffers') return typeof content === 'string' ? { fbs: content, root: type, imports } : { bfbs: content, table: type };
  if (format === 'capnproto') return { request: content, struct: type };
  try {
    return JSON.parse(content as string) as object;
  } catch (error) {
    throw new SchemaError(`the schema is not JSON: ${(error as Error).message}`);
  }
}
