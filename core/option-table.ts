import { check } from './check-names.ts';

/** The values that each option of a format takes; null for an option whose values cannot be listed. */
export type OptionTable<Options = object> = { readonly [Name in keyof Options]-?: ValuesOf<Exclude<Options[Name], undefined>> };

type ValuesOf<Value> = [Value] extends [string | boolean] ? (string extends Value ? null : readonly Value[]) : null;

/** Values of options that many formats have. */
export const FLAG = [false, true];
export const INT64 = ['auto', 'number', 'bigint', 'string'] as const;

/** Throws a TypeError for an option that a format does not have, or whose value it does not know. */
export function checkOptions(options: object, table: object | undefined): void {
  if (!table) return;
  for (const name in options) {
    if (!Object.hasOwn(table, name)) check('unknown format option', name, Object.keys(table));
    const values = (table as Record<string, readonly unknown[] | null>)[name];
    const value = options[name as never] as string | boolean | undefined;
    if (!values || value === undefined || values.includes(value)) continue;
    throw new TypeError(`invalid format option ${name}: ${String(value)}; expected one of ${values.join(', ')}`);
  }
}
