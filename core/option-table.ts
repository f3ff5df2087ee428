import { check } from './check-names.ts';

/** The values that each option of a format takes, or their kind. */
export type OptionTable<Options = object> = { readonly [Name in keyof Options]-?: ValuesOf<Exclude<Options[Name], undefined>> };

type ValuesOf<Value> = [Value] extends [string | boolean] ? (string extends Value ? OptionKind : readonly Value[]) : OptionKind;

/** What the values of an option have in common, where they cannot be listed: see `option-kinds.ts`. */
export interface OptionKind {
  readonly text: string;
  includes(value: unknown): boolean;
}

/** Values of options that many formats have. */
export const FLAG = [false, true];
export const INT64 = ['auto', 'number', 'bigint', 'string'] as const;

/** Throws a TypeError for an option that a format does not have, or whose value it does not know. */
export function checkOptions(options: object, table: object | undefined): void {
  if (!table) return;
  for (const name in options) {
    if (!Object.hasOwn(table, name)) check('unknown format option', name, Object.keys(table));
    const values = table[name as never] as readonly unknown[] | OptionKind;
    const value: unknown = options[name as never];
    if (value === undefined || values.includes(value)) continue;
    throw new TypeError(
      `invalid format option ${name}: ${String(value)}; expected ${'text' in values ? values.text : `one of ${values.join(', ')}`}`,
    );
  }
}
