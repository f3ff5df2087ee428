import { isRecord } from '../infer/shape.ts';

/** Maximum number of values to compare. */
const MAX = 400_000;

/** Describes what a format lost of a value: `3 dates as text`. An added key counts only if its value is neither null nor undefined. */
export function differencesOf(before: unknown, after: unknown): string[] {
  const counts = new Map<string, number>();
  const add = (from: string, to: string): void => void counts.set(`${from}\0${to}`, (counts.get(`${from}\0${to}`) ?? 0) + 1);
  const open: [before: unknown, after: unknown, isThere: boolean][] = [[before, after, true]];
  for (let seen = 0; open.length > 0 && seen < MAX; seen += 1) {
    const [one, other, isThere] = open.pop()!;
    const from = kindOf(one);
    const to = isThere ? kindOf(other) : 'left out';
    if (from !== to) {
      add(from, to);
    } else if (Array.isArray(one)) {
      const list = other as readonly unknown[];
      if (list.length !== one.length) add('list', 'one of another length');
      else for (const [index, item] of (one as unknown[]).entries()) open.push([item, list[index], true]);
    } else if (isRecord(one)) {
      const record = other as Record<string, unknown>;
      for (const key of Object.keys(one)) open.push([one[key], record[key], Object.hasOwn(record, key)]);
      for (const key of Object.keys(record)) {
        if (!Object.hasOwn(one, key) && record[key] !== undefined && record[key] !== null)
          add('absent key', kindOf(record[key]) === 'list' ? 'an empty list' : 'a value');
      }
    } else if (!isSame(one, other)) {
      add(from, `another ${from}`);
    }
  }
  return Array.from(counts, ([pair, count]) => {
    const [from, to] = pair.split('\0') as [string, string];
    return `${count.toLocaleString('en')} ${count === 1 ? from : plural(from)} ${to === 'left out' ? to : `as ${from === '−0' && to === 'number' ? '0' : to}`}`;
  });
}

function kindOf(value: unknown): string {
  switch (typeof value) {
    case 'number':
      return Object.is(value, -0) ? '−0' : Number.isFinite(value) ? 'number' : String(value);
    case 'string':
      return 'text';
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return 'list';
      if (value instanceof Date) return 'date';
      if (value instanceof Uint8Array || value instanceof ArrayBuffer) return 'bytes';
      return isRecord(value) ? 'record' : (value.constructor?.name ?? 'object');
    default:
      return typeof value;
  }
}

function plural(kind: string): string {
  return /^(?:text|bytes|null|undefined|−0|NaN|-?Infinity)$/.test(kind) ? kind : `${kind}s`;
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other || Object.is(one, other)) return true;
  if (one instanceof Date) return Object.is(one.getTime(), (other as Date).getTime());
  if (one instanceof Map || one instanceof Set) return one.size === (other as Map<unknown, unknown>).size;
  if (one instanceof RegExp) return String(one) === String(other);
  if (one instanceof Uint8Array || one instanceof ArrayBuffer) {
    const [a, b] = [new Uint8Array(one as ArrayBuffer), new Uint8Array(other as ArrayBuffer)];
    return a.length === b.length && a.every((byte, index) => byte === b[index]);
  }
  return typeof one === 'object' && typeof other === 'object';
}
