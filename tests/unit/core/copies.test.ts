import { expect, test } from 'vitest';
import { brandInstances } from '../../../core/instanceof-brand.ts';
import { DecodeError, LimitError, PlacedError } from '../../../core/errors.ts';

/** The same class as another bundle defines it. */
function copy(name: string): new () => object {
  const Copy = class {};
  brandInstances(name, Copy);
  return Copy;
}

test('an error from another copy of the library is an instance of the same class and no other', () => {
  const error = new (copy('DecodeError'))();
  expect(error instanceof DecodeError).toBe(true);
  expect(error instanceof LimitError).toBe(false);
});

test('an error is an instance of its class and its base classes', () => {
  const error = new DecodeError('truncated', 'the input ends');
  expect([DecodeError, PlacedError, Error].map((kind) => error instanceof kind)).toEqual([true, true, true]);
  expect(error instanceof copy('PlacedError')).toBe(true);
  expect(error instanceof LimitError).toBe(false);
});

test('a derived class of an application has only its own instances', () => {
  class OwnError extends DecodeError {}
  expect(new DecodeError('empty', 'no bytes') instanceof OwnError).toBe(false);
  expect(new OwnError('empty', 'no bytes') instanceof OwnError).toBe(true);
  expect(new OwnError('empty', 'no bytes') instanceof DecodeError).toBe(true);
});

test('a non-object is never an instance of an error class', () => {
  for (const value of [undefined, null, 'DecodeError', 1]) expect((value as unknown) instanceof DecodeError).toBe(false);
});
