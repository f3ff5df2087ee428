import { check } from './check-names.ts';

/** The values that each option of a format takes, or their kind. */
export type OptionTable<Options = object> = { readonly [Name in keyof Options]-?: ValuesOf<Exclude<Options[Name], undefined>> };

type ValuesOf<Value> = [Value] extends [string | boolean] ? (string extends Value ? OptionKind : readonly Value[]) : OptionKind;

/** Throws a TypeError for a value of another kind: see `option-kinds.ts`. */
export type OptionKind = (name: string, value: string | undefined) => void;

/** Values of options that many formats have. */
export const FLAG = [false, true];
export const INT64 = ['auto', 'number', 'bigint', 'string'] as const;

/** Throws a TypeError for an option that a format does not have, or whose value it does not know. */
export function checkOptions(options: object, table: object | undefined): void {
  if (!table) return;
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(table, name)) check('unknown format option', name, Object.keys(table));
    const values = table[name as never] as readonly string[] | OptionKind;
    const value = options[name as never];
    if (typeof values === 'function') values(name, value);
    else check(`invalid format option ${name}:`, value, values);
  }
}
