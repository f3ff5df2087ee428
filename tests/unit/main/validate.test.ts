/** The option `validate` of decodes and batches, and what it says of values that do not match. */
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createDecoder } from '../../../main/index.ts';
import { type StandardSchema, validate, ValidationError } from '../../../main/validate.ts';

z.config({ jitless: true });
const Trip = z.object({ id: z.number(), start: z.string().transform((text) => new Date(text)) });
const trips = (count: number, bad = -1): object[] =>
  Array.from({ length: count }, (_, id) => ({ id: id === bad ? 'x' : id, start: '2026-01-02T03:04:05Z' }));
const bytesOf = (value: unknown): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(value));

function makeDecoder(): ReturnType<typeof createDecoder> {
  const decoder = createDecoder({ route: 'page' });
  onTestFinished(() => decoder.close());
  return decoder;
}

test.each([2, 5_000])('decode returns what the schema makes of a list of %s items', async (count) => {
  const list = await makeDecoder().decode(bytesOf(trips(count)), { validate: z.array(Trip) });
  expect(list).toHaveLength(count);
  expect(list.at(-1)).toEqual({ id: count - 1, start: new Date('2026-01-02T03:04:05Z') });
});

test('decode rejects with the path of a value that does not match, and no index', async () => {
  const error = await makeDecoder()
    .decode(bytesOf({ trips: trips(3, 1) }), { validate: z.object({ trips: z.array(Trip) }) })
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ValidationError);
  expect((error as ValidationError).issues).toEqual([{ path: ['trips', 1, 'id'], message: expect.any(String) as string }]);
  expect((error as ValidationError).message).toContain('$.trips[1].id');
});

test('decode rejects with the error of an invalid payload, whatever the schema', async () => {
  await expect(makeDecoder().decode(bytesOf([]).subarray(1), { validate: z.array(Trip), format: 'json' })).rejects.toMatchObject({
    name: 'DecodeError',
  });
});

test('a response decodes to what the schema makes of it, whatever form was asked for', async () => {
  const decoder = makeDecoder();
  const url = `data:application/json,${encodeURIComponent(JSON.stringify(trips(2)))}`;
  const response = await decoder.fetch(url, { as: 'rows' });
  expect((await response.clone().json({ validate: z.array(Trip) }))[1]?.start).toBeInstanceOf(Date);
  expect((await response.clone().decode({ validate: z.array(Trip), as: 'objects' }))[1]?.start).toBeInstanceOf(Date);
  await expect(response.rows({ validate: Trip } as object)).rejects.toThrow('the option validate is for objects, not rows');
});

test('batches check items one by one, and say which of the list does not match after those before it', async () => {
  const decoder = makeDecoder();
  const seen: unknown[] = [];
  const read = async (): Promise<void> => {
    for await (const batch of decoder.batches(bytesOf({ trips: trips(50, 37) }), { validate: Trip, path: 'trips', batchSize: 10 }))
      seen.push(...batch);
  };
  await expect(read()).rejects.toMatchObject({ name: 'ValidationError', issues: [{ index: 37, path: [37, 'id'] }] });
  expect(seen).toHaveLength(37);
  expect(seen[0]).toEqual({ id: 0, start: new Date('2026-01-02T03:04:05Z') });
  expect(decoder.stats()).toMatchObject({ pending: 0, failed: 1 });
});

test('batches give the items before one for which the schema throws', async () => {
  const decoder = makeDecoder();
  const schema = z.number().transform((id) => {
    if (id === 4) throw new RangeError('thrown by the schema');
    return id;
  });
  const seen: number[] = [];
  const read = async (): Promise<void> => {
    for await (const batch of decoder.batches(bytesOf([1, 2, 3, 4, 5]), { validate: schema })) seen.push(...batch);
  };
  await expect(read()).rejects.toThrow('thrown by the schema');
  expect(seen).toEqual([1, 2, 3]);
  expect(decoder.stats()).toMatchObject({ pending: 0, failed: 1 });
});

test('a result with an empty list of issues is a failure, as Standard Schema says', async () => {
  const decoder = makeDecoder();
  const schema: StandardSchema<number> = {
    '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => (value === 2 ? { issues: [] } : { value: value as number }) },
  };
  const message = 'the value does not match the schema, which names no issue';
  await expect(validate([1, 2, 3], schema)).rejects.toMatchObject({ name: 'ValidationError', issues: [{ index: 1, path: [1], message }] });
  await expect(decoder.decode(bytesOf(2), { validate: schema })).rejects.toMatchObject({ name: 'ValidationError', issues: [{ path: [], message }] });
  const seen: number[] = [];
  const read = async (): Promise<void> => {
    for await (const batch of decoder.batches(bytesOf([1, 2, 3]), { validate: schema })) seen.push(...batch);
  };
  await expect(read()).rejects.toMatchObject({ issues: [{ index: 1, message }] });
  expect(seen).toEqual([1]);
});

test('validate is refused for rows, columns and previous', async () => {
  const decoder = makeDecoder();
  const refused = { validate: z.array(Trip) };
  await expect(decoder.decode(bytesOf([]), { ...refused, as: 'rows' } as object)).rejects.toThrow('the option validate is for objects, not rows');
  await expect(decoder.decode(bytesOf([]), { ...refused, previous: undefined, key: 'id' } as object)).rejects.toThrow('than previous keeps');
  await expect(decoder.growingRows(bytesOf(trips(2)), { validate: Trip } as object)).rejects.toThrow('the option validate is for objects, not rows');
});
