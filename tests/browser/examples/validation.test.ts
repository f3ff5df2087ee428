import { expect, test } from 'vitest';
import { validate, ValidationError } from 'unspool/validate';
import { loadTrips, schemas } from '../../../docs/examples/08-validation/index.ts';
import { hurryClock, tasksDuring } from '../../setup/stand-ins/clock.ts';
import { expectTrips } from './trips.ts';

const libraries = Object.keys(schemas) as (keyof typeof schemas)[];
const good = { id: 1, station: 'a', minutes: 2, member: true };

test.each(libraries)('%s accepts valid trips', async (library) => {
  expectTrips(await loadTrips('/trips?rows=5000', library), 5_000);
});

test.each(libraries)('%s reports the path of an invalid value', async (library) => {
  const error = await loadTrips('/trips?rows=100&broken', library).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ValidationError);
  expect(error).toMatchObject({ name: 'ValidationError', code: 'validation' });
  const { issues, message } = error as ValidationError;
  expect(issues).toEqual([{ index: 3, path: [3, 'minutes'], message: expect.any(String) as string }]);
  expect(message).toContain('$[3].minutes');
});

test('other tasks run during the validation of a long list', async () => {
  const items = Array.from({ length: 2_000 }, () => good);
  const taking = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as const;
  hurryClock();
  expect(await tasksDuring(() => validate(items, taking))).toBeGreaterThan(4);
});

test('validation stops at the maximum number of issues', async () => {
  const items = Array.from({ length: 1_000 }, () => null);
  let looked = 0;
  const refuses = { '~standard': { version: 1, vendor: 'test', validate: () => ((looked += 1), { issues: [{ message: 'no' }] }) } } as const;
  await expect(validate(items, refuses, { maxIssues: 3 })).rejects.toMatchObject({ issues: { length: 3 } });
  expect(looked).toBe(3);
  await expect(validate(items, schemas.zod)).rejects.toMatchObject({ issues: { length: 20 } });
});

test('validation returns the items converted by a schema, also asynchronously', async () => {
  const doubled = {
    '~standard': { version: 1, vendor: 'test', validate: async (value: unknown) => ({ value: Number(value) * 2 }) },
  } as const;
  expect(await validate([1, 2, 3], doubled)).toEqual([2, 4, 6]);
  expect(await validate([], doubled)).toEqual([]);
});

test('validation rejects with the reason of an aborted signal', async () => {
  const controller = new AbortController();
  function* endless(): Generator<object> {
    for (let index = 0; ; index += 1) {
      if (index === 1_000) setTimeout(() => controller.abort());
      yield good;
    }
  }
  await expect(validate(endless(), schemas.valibot, { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
  await expect(validate([], schemas.zod, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
});
