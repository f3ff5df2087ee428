import type { ListForm } from '../format/format.ts';
import { isRecord } from '../values/property.ts';
import { REGULAR_SHARE } from './tuning.ts';

/** The form of a payload that begins with no list. */
export const NO_LIST: ListForm = { list: false, records: false, flat: false, regular: false };

/** The form of a list, judged by its first items. */
export function describeList(items: readonly unknown[]): ListForm {
  const keys = new Set<string>();
  let records = 0;
  let values = 0;
  let flat = true;
  for (const item of items) {
    if (item === null) continue;
    records += 1;
    if (!isRecord(item)) return { ...NO_LIST, list: true };
    for (const key in item) {
      keys.add(key);
      values += 1;
      flat &&= isScalar((item as Record<string, unknown>)[key]);
    }
  }
  return { list: true, records: records > 0, flat, regular: values > 0 && values >= REGULAR_SHARE * keys.size * records };
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null || value instanceof Date;
}
