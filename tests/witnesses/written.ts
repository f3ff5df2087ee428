import type { AnyFormat } from '../../core/format/format.ts';
import type { AnyFormatWriter } from '../../core/writing/writer.ts';
import { decodeWith } from '../setup/ways/differential.ts';
import { encodeEveryWay } from '../setup/ways/encode-with.ts';
import { hex, toHex } from '../setup/values/hex.ts';
import { type Command, outputOf } from './witnesses.ts';
import { type Case, type CasesHeader, schemasOf } from './cases.ts';

/** Options for reading values without loss and for writing them so that the reference implementation reads the same values. */
const SETTINGS: Readonly<Record<string, { read: object; write: object }>> = {
  json: { read: { bigints: 'bigint' }, write: { bigints: 'number' } },
  messagepack: { read: {}, write: {} },
  cbor: { read: {}, write: {} },
  bson: { read: { types: 'canonical' }, write: { types: 'canonical' } },
  avro: { read: { framing: 'datum', int64: 'auto', unions: 'wrapped' }, write: { unions: 'wrapped' } },
  protobuf: { read: { defaults: 'none' }, write: {} },
};

/** A value that the reference implementation reads differently. */
export interface WrittenFault {
  original: string;
  written: string;
  found: string;
}

/**
 * Writes the values of all cases of a reference implementation and lets it read them with `command`: see
 * `python/read_back.py`.
 */
export async function checkWritten(
  text: string,
  { format, writer, readCorpus }: { format: AnyFormat; writer: AnyFormatWriter; readCorpus: (path: string) => Promise<string | undefined> },
  command: Command,
): Promise<{ count: number; faults: WrittenFault[] }> {
  const [first, ...lines] = text.trim().split('\n');
  const header = JSON.parse(first!) as CasesHeader;
  // For a pair, the writer's schema applies.
  const sources = Object.entries(header.schemas ?? {}).map(([name, source]) => [name, (source as { writer?: unknown }).writer ?? source] as const);
  const own = header.schemas ? { ...header, schemas: Object.fromEntries(sources) } : header;
  const schemas = (await schemasOf(own, format, readCorpus))!;
  const { read, write } = SETTINGS[header.format]!;
  const written: { original: string; written: string; schema: string | undefined }[] = [];
  for (const line of lines) {
    const item = JSON.parse(line) as Case;
    if (item.error) continue;
    const [schema] = schemas.get(item.schema)!;
    const value = decodeWith(format, hex(item.hex), { options: read, schema });
    // Unvalidated strings that are not UTF-8 have changed.
    if (hasReplacement(value)) continue;
    written.push({ original: item.hex, written: toHex(encodeEveryWay(writer, value, { options: write, schema })), schema: item.schema });
  }
  const input = [header, ...written].map((line) => JSON.stringify(line)).join('\n');
  const faults = outputOf(command, input)
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [index, found] = JSON.parse(line) as [number, string];
      return { original: written[index]!.original, written: written[index]!.written, found };
    });
  return { count: written.length, faults };
}

function hasReplacement(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\ufffd');
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  return Object.entries(value).some(([key, inner]) => key.includes('\ufffd') || hasReplacement(inner));
}
