import { describe, expect, test } from 'vitest';
import { checkReferences } from '../../../../devtools-extension/reading/whole-values/whole-value.ts';

describe('checkReferences', () => {
  test('rejects a value if expanding its references would exceed all memory', () => {
    for (const join of [
      (value: unknown) => [value, value],
      (value: unknown) => ({ a: value, b: value }),
      (value: unknown) =>
        new Map([
          [1, value],
          [2, value],
        ]),
      (value: unknown) => new Set([[value], [value]]),
    ]) {
      let value: unknown = 'a';
      for (let level = 0; level < 100; level += 1) value = join(value);
      expect(() => checkReferences(value)).toThrow('too large once its references are expanded');
    }
  });

  test('rejects a cyclic value', () => {
    const list: unknown[] = [];
    list.push({ list });
    expect(() => checkReferences(list)).toThrow('The value contains itself');
    const map = new Map<unknown, unknown>();
    map.set('a', [map]);
    expect(() => checkReferences(map)).toThrow('The value contains itself');
  });

  test('accepts a value with repeated references', () => {
    const shared = { a: [1, new Date(0), null, Uint8Array.of(1)] };
    expect(() => checkReferences([shared, { b: shared }, new Set([shared])])).not.toThrow();
  });
});
