import { formatPath } from '../core/errors.ts';
import { Slicer } from './slicing/slicer.ts';

/** A schema of a library that implements Standard Schema 1 (standardschema.dev): zod, valibot, arktype and others. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** What a schema says of one value: what it made of it, or what is wrong with it. */
export type StandardResult<Output> = { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** What is wrong with a value, and where in it. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The type of what a schema lets through. */
export type OutputOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output'];

/** What is wrong with one item of a list. */
export interface ValidationIssue {
  /** The item's place in the list. */
  index: number;
  /** From the list to the value: the item's index, then keys. */
  path: PropertyKey[];
  message: string;
}

/** Items that do not fit the schema. */
export class ValidationError extends Error {
  override name = 'ValidationError';
  readonly code = 'validation';
  /** The first of them, as many as were asked for. */
  readonly issues: readonly ValidationIssue[];

  constructor(issues: readonly ValidationIssue[]) {
    const [first] = issues;
    const place = first ? ` (at ${formatPath(first.path.map((key) => (typeof key === 'symbol' ? String(key) : key)))})` : '';
    super(`${first?.message ?? 'the items are not valid'}${place}`);
    this.issues = issues;
  }
}

/** How items are validated. */
export interface ValidateOptions {
  /** Ends the validation: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Issues after which it stops looking. Default 20. */
  maxIssues?: number | undefined;
}

/**
 * Validates the items of a list one by one, in slices of a few milliseconds so that the page stays responsive, and
 * resolves to what the schema made of them. Rejects with a `ValidationError` where an item does not fit.
 *
 * @param items an array, or `Rows`, which are built as they are validated
 * @param schema of one item
 *
 * @example
 * const rows = await decoder.decode<unknown[]>(buffer, { as: 'rows' });
 * const trips = await validate(rows, z.object({ id: z.string(), minutes: z.number() }));
 */
export async function validate<S extends StandardSchema>(
  items: Iterable<unknown>,
  schema: S,
  { signal, maxIssues = 20 }: ValidateOptions = {},
): Promise<OutputOf<S>[]> {
  signal?.throwIfAborted();
  const { validate: check } = schema['~standard'];
  const slicer = new Slicer(signal);
  const valid: OutputOf<S>[] = [];
  const issues: ValidationIssue[] = [];
  let index = 0;
  slicer.begin();
  for (const item of items) {
    let result = check(item);
    if (result instanceof Promise) result = await result;
    if (!result.issues) {
      valid.push(result.value);
    } else {
      for (const { message, path = [] } of result.issues) {
        issues.push({ index, path: [index, ...path.map((step) => (typeof step === 'object' ? step.key : step))], message });
      }
      if (issues.length >= maxIssues) break;
    }
    index += 1;
    if (slicer.due()) await slicer.pause();
  }
  slicer.end();
  if (issues.length > 0) throw new ValidationError(issues.slice(0, Math.max(1, maxIssues)));
  return valid;
}
