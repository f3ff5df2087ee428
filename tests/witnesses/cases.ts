import type { AnyFormat } from '../../core/formats/format.ts';
import { decodeWith } from '../setup/ways/differential.ts';
import { hex } from '../setup/values/hex.ts';

/** The first line of a file of cases: who made them, and how they are decoded. */
export interface CasesHeader {
  /** The library that is the witness, with its version. */
  witness: string;
  format: string;
  seed: number;
  options: object;
  /** By name; without schemas there are none. `{ $corpus: path }` is a file of the corpora. */
  schemas?: Record<string, unknown>;
}

/** One input: the value that the witness reads or wrote, or that it refuses it. */
export interface Case {
  schema?: string;
  options?: object;
  hex: string;
  value?: unknown;
  error?: true;
}

/** What cases say, and what was read of them. */
export interface CasesResult {
  header: CasesHeader;
  count: number;
  /** Cases that differ from the witness. */
  faults: { case: Case; actual: unknown }[];
}

/**
 * Decodes the cases of a file, one a line, by each schema of the same name: `a` and `a by descriptors`. `readCorpus` gives
 * a file of the corpora; undefined where these are absent, and then so is the result.
 */
export async function checkCases(
  text: string,
  load: (format: string) => Promise<AnyFormat>,
  readCorpus: (path: string) => Promise<string | undefined>,
): Promise<CasesResult | undefined> {
  const [first, ...lines] = text.trim().split('\n');
  const header = JSON.parse(first!) as CasesHeader;
  const format = await load(header.format);
  const schemas = await schemasOf(header, format, readCorpus);
  if (schemas === undefined) return undefined;
  const faults: CasesResult['faults'] = [];
  let count = 0;
  for (const line of lines) {
    const item = JSON.parse(line) as Case;
    const options = { ...header.options, ...item.options };
    for (const schema of schemas.get(item.schema)!) {
      const bytes = hex(item.hex);
      for (const chunkSizes of [undefined, [Math.ceil(bytes.length / 2)]]) {
        count += 1;
        const actual = outcomeOf(() => decodeWith(format, bytes, { options, schema, ...(chunkSizes ? { chunkSizes } : {}) }));
        const expected = item.error ? 'error' : JSON.stringify(ordered(item.value));
        const found = 'error' in actual ? 'error' : JSON.stringify(ordered(tagged(actual.value)));
        if (expected !== found) faults.push({ case: item, actual: 'error' in actual ? String(actual.error) : tagged(actual.value) });
      }
    }
  }
  return { header, count, faults };
}

/** The compiled schemas of a file by their names; undefined where a file of the corpora that one needs is absent. */
export async function schemasOf(
  { schemas: sources }: CasesHeader,
  format: AnyFormat,
  readCorpus: (path: string) => Promise<string | undefined>,
): Promise<Map<string | undefined, unknown[]> | undefined> {
  const schemas = new Map<string | undefined, unknown[]>();
  if (!sources) schemas.set(undefined, [undefined]);
  for (const [name, source] of Object.entries(sources ?? {})) {
    const input = await withCorpora(source, readCorpus);
    if (input === undefined) return undefined;
    const key = name.replace(' by descriptors', '');
    schemas.set(key, [...(schemas.get(key) ?? []), await format.compileSchema!(input)]);
  }
  return schemas;
}

function outcomeOf(decode: () => unknown): { value: unknown } | { error: unknown } {
  try {
    return { value: decode() };
  } catch (error) {
    const { name } = error as Error;
    if (name !== 'DecodeError' && name !== 'LimitError') throw error;
    return { error };
  }
}

/** An input of `compileSchema`, with the bytes and the files of the corpora that stand in it by name. */
async function withCorpora(value: unknown, readCorpus: (path: string) => Promise<string | undefined>): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => withCorpora(item, readCorpus)));
  if (typeof value !== 'object' || value === null) return value;
  const { $bytes, $corpus } = value as Record<string, string>;
  if ($bytes !== undefined) return hex($bytes);
  if ($corpus !== undefined) return readCorpus($corpus);
  const entries: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const made = await withCorpora(inner, readCorpus);
    if (made === undefined) return undefined;
    entries.push([key, made]);
  }
  return Object.fromEntries(entries);
}

/** A value as JSON, as the witnesses write it: what JSON has not is an object with one key that begins with a dollar sign. */
function tagged(value: unknown): unknown {
  // Formats differ in whether ±2⁵³ is a number.
  if (typeof value === 'bigint') return value === 2n ** 53n || value === -(2n ** 53n) ? Number(value) : { $bigint: String(value) };
  if (typeof value === 'number') {
    return Number.isFinite(value) && !Object.is(value, -0) ? value : { $number: Object.is(value, -0) ? '-0' : String(value) };
  }
  if (value === undefined) return { $undefined: true };
  if (value instanceof Uint8Array) return { $bytes: Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('') };
  if (value instanceof Date) return { $date: value.getTime() };
  if (value instanceof Map) return { $map: [...value].map(([key, inner]) => [tagged(key), tagged(inner)]) };
  if (Array.isArray(value)) return value.map(tagged);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, tagged(inner)]));
}

/** The same with the keys of objects in one order. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([key, inner]) => [key, ordered(inner)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}
