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

/** Result of validating one value: the validated value or the issues. */
export type StandardResult<Output> = { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** A problem with a value, and its path. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Type of the values that a schema produces. */
export type OutputOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output'];

/** A problem with one item of a list. */
export interface ValidationIssue {
  /** Index of the item in the list. */
  index: number;
  /** Path from the list to the value: the item's index, then keys. */
  path: PropertyKey[];
  message: string;
}

/** Thrown if items do not match the schema. */
export class ValidationError extends Error {
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
