import type { AnyFormat } from '../../core/format/format.ts';
import { decodeWith } from '../setup/ways/differential.ts';
import { hex } from '../setup/values/hex.ts';

/** The first line of a file of cases: their origin and decode options. */
export interface CasesHeader {
  /** The reference implementation, with its version. */
  witness: string;
  format: string;
  seed: number;
  options: object;
  /** Schemas by name, if the format has any. `{ $corpus: path }` refers to a file of the corpora. */
  schemas?: Record<string, unknown>;
}

/** An input with the value that the reference implementation reads or wrote, or its rejection. */
export interface Case {
  schema?: string;
  options?: object;
  hex: string;
  value?: unknown;
  error?: true;
}

/** Expected and decoded values. */
export interface CasesResult {
  header: CasesHeader;
  count: number;
  /** Cases that differ from the reference implementation. */
  faults: { case: Case; actual: unknown }[];
}

/**
 * Decodes the cases of a file, one per line, with each schema of their name: `a` and `a by descriptors`. `readCorpus` reads a
 * file of the corpora. Returns undefined if it is absent.
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

/** The compiled schemas of a file by name; undefined if a file of the corpora is missing. */
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

/** An argument of `compileSchema`, in which bytes and names of corpus files are resolved. */
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

/** Converts a value to the JSON of the reference implementations: other values are objects with one key that begins with `$`. */
function tagged(value: unknown): unknown {
  // Formats differ on whether ±2⁵³ is a number.
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

/** Sorts the keys of objects. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([key, inner]) => [key, ordered(inner)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}
