import { expect, test } from 'vitest';
import { brandInstances } from '../../../core/instanceof-brand.ts';
import { DecodeError, LimitError, PlacedError } from '../../../core/errors.ts';

/** The same class as another file has it. */
function copy(name: string): new () => object {
  const Copy = class {};
  brandInstances(name, Copy);
  return Copy;
}

test('an error of another copy of the library is an instance of the same class here, and of no other', () => {
  const error = new (copy('DecodeError'))();
  expect(error instanceof DecodeError).toBe(true);
  expect(error instanceof LimitError).toBe(false);
});

test('an error is an instance of its class and of those above it', () => {
  const error = new DecodeError('truncated', 'the input ends');
  expect([DecodeError, PlacedError, Error].map((kind) => error instanceof kind)).toEqual([true, true, true]);
  expect(error instanceof copy('PlacedError')).toBe(true);
  expect(error instanceof LimitError).toBe(false);
});

test('a class that an application derives has only its own instances', () => {
  class OwnError extends DecodeError {}
  expect(new DecodeError('empty', 'no bytes') instanceof OwnError).toBe(false);
  expect(new OwnError('empty', 'no bytes') instanceof OwnError).toBe(true);
  expect(new OwnError('empty', 'no bytes') instanceof DecodeError).toBe(true);
});

test("a value that is no object is no instance of an error's class", () => {
  for (const value of [undefined, null, 'DecodeError', 1]) expect((value as unknown) instanceof DecodeError).toBe(false);
});
