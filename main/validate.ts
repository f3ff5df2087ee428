import { CallError, formatPath } from '../core/errors.ts';
import type { Operation } from './call/operation.ts';
import type { OutputOf, StandardIssue, StandardSchema, Validated } from './call/options/standard-schema.ts';
import { Slicer } from '../core/slicing/slicer.ts';

export type { OutputOf, StandardIssue, StandardResult, StandardSchema } from './call/options/standard-schema.ts';

/** Number of issues after which validation stops, by default. */
const MAX_ISSUES = 20;

/** A problem with one item of a list. */
export interface ValidationIssue {
  /** Index of the item in the list; undefined if the schema is that of a whole value. */
  index?: number | undefined;
  /** Path from the list to the value: the item's index, then keys. Of a whole value, from that. */
  path: PropertyKey[];
  message: string;
}

/** Thrown if items, or a value, do not match the schema. */
export class ValidationError extends CallError {
  override name = 'ValidationError';
  readonly code = 'validation';
  /** The first issues, up to `maxIssues`. */
  readonly issues: readonly ValidationIssue[];

  constructor(issues: readonly ValidationIssue[]) {
    const [first] = issues;
    const place = first ? ` (at ${formatPath(first.path.map((key) => (typeof key === 'symbol' ? String(key) : key)))})` : '';
    super(`${first?.message ?? 'the items are not valid'}${place}`);
    this.issues = issues;
  }
}

/** Options of `validate`. */
export interface ValidateOptions {
  /** Stops the validation, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Number of issues after which validation stops. Default 20. */
  maxIssues?: number | undefined;
  /** Index of the first item, for issues: of a batch, the number of items before it. Default 0. */
  firstIndex?: number | undefined;
}

/**
 * Validates the items of a list one by one, in slices of a few milliseconds so that the page stays responsive. Resolves
 * to the values that the schema produced; rejects with a `ValidationError` if an item does not match.
 *
 * @param items an array, or `Rows`, which are built as they are validated
 * @param schema the schema of one item
 *
 * @example
 * const rows = await decoder.decode<unknown[]>(buffer, { as: 'rows' });
 * const trips = await validate(rows, z.object({ id: z.string(), minutes: z.number() }));
 */
export async function validate<S extends StandardSchema>(items: Iterable<unknown>, schema: S, options?: ValidateOptions): Promise<OutputOf<S>[]> {
  const valid: OutputOf<S>[] = [];
  await validateInto(valid, items, schema, options);
  return valid;
}

/** Validates items. Adds to `valid` those before the first that does not match, then rejects. */
async function validateInto(
  valid: unknown[],
  items: Iterable<unknown>,
  schema: StandardSchema,
  { signal, maxIssues = MAX_ISSUES, firstIndex = 0 }: ValidateOptions = {},
): Promise<void> {
  signal?.throwIfAborted();
  const { validate: check } = schema['~standard'];
  const slicer = new Slicer(signal);
  const issues: ValidationIssue[] = [];
  let index = firstIndex;
  slicer.begin();
  for (const item of items) {
    let result = check(item);
    if ('then' in result) result = await result;
    if (!result.issues) {
      if (issues.length === 0) valid.push(result.value);
    } else {
      for (const { message, path } of named(result.issues)) issues.push({ index, path: [index, ...keysOf(path)], message });
      if (issues.length >= maxIssues) break;
    }
    index += 1;
    if (slicer.due()) await slicer.pause();
  }
  slicer.end();
  if (issues.length > 0) throw new ValidationError(issues.slice(0, Math.max(1, maxIssues)));
}

/** @internal Checks a decoded value, for the option `validate`. */
export async function validateValue(
  value: unknown,
  { validate: schema, as = 'objects', ...options }: Partial<Validated<StandardSchema>> & { as?: string | undefined; previous?: unknown },
): Promise<unknown> {
  checkForm(as);
  if ('previous' in options) throw new TypeError('the option validate makes other objects than previous keeps: use validate of unspool/validate');
  const result = await schema!['~standard'].validate(value);
  if (!result.issues) return result.value;
  throw new ValidationError(
    named(result.issues)
      .slice(0, MAX_ISSUES)
      .map(({ message, path }) => ({ path: keysOf(path), message })),
  );
}

/** @internal Batches as they arrive, then the other parts of the payload. */
interface ItemFeed {
  /** The next batch; undefined after the last. */
  next(): Promise<{ value: unknown } | undefined>;
  rest(): Promise<unknown>;
}

/** @internal Batches whose items are checked. An item that does not match ends the decode after the items before it. */
export function validBatches(feed: ItemFeed, schema: StandardSchema, operation: Operation): ItemFeed {
  checkForm(operation.report.as);
  let count = 0;
  let failure: { readonly error: unknown } | undefined;
  return {
    async next() {
      if (failure) throw failure.error;
      const batch = await feed.next();
      if (!batch) return undefined;
      const items = batch.value as unknown[];
      const firstIndex = count;
      count += items.length;
      const valid: unknown[] = [];
      try {
        await validateInto(valid, items, schema, { signal: operation.signal, firstIndex });
      } catch (error) {
        operation.reject(error);
        if (valid.length === 0) throw error;
        failure = { error };
      }
      return { value: valid };
    },
    rest: () => feed.rest(),
  };
}

function checkForm(as: string): void {
  if (as !== 'objects') throw new TypeError(`the option validate is for objects, not ${as}: use validate of unspool/validate`);
}

/** The issues of a value that does not match: one at least. */
function named(issues: readonly StandardIssue[]): readonly StandardIssue[] {
  return issues.length > 0 ? issues : [{ message: 'the value does not match the schema, which names no issue' }];
}

/** The keys of an issue's path. */
function keysOf(path: StandardIssue['path'] = []): PropertyKey[] {
  return path.map((step) => (typeof step === 'object' ? step.key : step));
}
