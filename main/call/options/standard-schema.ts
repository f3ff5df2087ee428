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

/** Type of the values that a schema takes. */
export type InputOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>['input'];

/** A decode whose result is checked, and has the type that the schema says. */
export interface Validated<S extends StandardSchema> {
  /**
   * A schema of zod, valibot, arktype or another library that implements Standard Schema: of the whole value, which is checked in
   * one task, or in `batches` of one item. The result is what the schema makes of it. Rejects with a `ValidationError` of
   * `unspool/validate`. Not for `rows` and `columns`, nor with `previous`: check those by `validate` of `unspool/validate`.
   */
  validate: S;
}
