import { describe, expect, it } from 'vitest';
import { createEncoder } from '../../../../main/encode.ts';
import { encodeSync } from '../../../../main/sync.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';
import { loadWriter } from '../../../../core/formats/writers.ts';

const FORMATS: readonly FormatId[] = ['json', 'messagepack', 'cbor', 'bson', 'sia'];
const encoder = createEncoder();

/** Ways to encode a value. */
function ways(format: FormatId, options?: object): ((value: unknown) => Promise<unknown>)[] {
  const setting = { format, options: options as never };
  return [
    async (value) => encodeSync(await loadWriter(format), value, { options }),
    async (value) => await encoder.encode(value, setting),
    async (value) => await encoder.body(value, setting),
    async (value) => await new Response(encoder.stream(value, setting)).text(),
  ];
}

const cause = new Error('no');
const fail = (): never => {
  throw cause;
};

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe.each(FORMATS)('encode of %s', (format) => {
  it('rejects with an EncodeError if a getter, a toJSON or a proxy throws, also at the root', async () => {
    const proxies = [new Proxy({}, { ownKeys: fail }), new Proxy({ a: 1 }, { getOwnPropertyDescriptor: fail })];
    const at = (value: unknown) => ({ a: { b: value } });
    for (const write of ways(format)) {
      for (const value of [
        ...proxies,
        new Proxy({}, { getPrototypeOf: fail, ownKeys: fail }),
        {
          get x() {
            return fail();
          },
        },
      ]) {
        await expect(write(value)).rejects.toMatchObject({ name: 'EncodeError', code: 'thrown', format, cause });
        await expect(write(at(value))).rejects.toMatchObject({ name: 'EncodeError', code: 'thrown', format, cause });
      }
      await expect(write(revoked())).rejects.toMatchObject({ name: 'EncodeError', code: 'thrown', format });
      await expect(write(at(revoked()))).rejects.toMatchObject({ name: 'EncodeError', code: 'thrown', format, path: ['a', 'b'] });
    }
  });

  it('rejects values of 20,000 levels, unless the limit allows them', async () => {
    let deep: unknown = { end: true };
    for (let level = 0; level < 20_000; level += 1) deep = { deep };
    for (const write of ways(format)) await expect(write(deep)).rejects.toMatchObject({ name: 'EncodeError', code: 'depth', format });
    const own = createEncoder({ limits: { depth: 1_000_000 } });
    expect((await own.encode(deep, { format })).length).toBeGreaterThan(20_000);
  });

  it('rejects a huge length of a proxy or a sparse array without allocating it', async () => {
    const proxy = new Proxy([], { get: (target, key) => (key === 'length' ? 2 ** 32 - 1 : (Reflect.get(target, key) as unknown)) });
    const odd = new Proxy([], { get: (target, key) => (key === 'length' ? 0.5 : (Reflect.get(target, key) as unknown)) });
    const sparse: unknown[] = [];
    sparse.length = 2 ** 32 - 1;
    for (const write of ways(format)) {
      for (const list of format === 'json' ? [proxy, sparse] : [proxy, odd, sparse]) {
        await expect(write({ list })).rejects.toMatchObject({ name: 'EncodeError', code: 'range', format, path: ['list'] });
      }
    }
  });

  it('rejects an iterator inside a list and gives its path', async () => {
    class Statement {
      #rows = [1];
      next(): { done: boolean; value: unknown } {
        return { done: this.#rows.length === 0, value: this.#rows.pop() };
      }
      [Symbol.iterator](): this {
        return this;
      }
    }
    for (const write of ways(format)) {
      const error = { name: 'EncodeError', code: 'unsupported', format, path: ['a', 0, 'rows'] };
      await expect(write({ a: [{ rows: new Statement() }] })).rejects.toMatchObject(error);
      await expect(write({ a: [{ rows: [1].values() }] })).rejects.toMatchObject(error);
    }
  });

  it('writes a sync iterator at the root like an async one', async () => {
    const rows = [{ id: 1 }, { id: 2 }];
    function* each(): Generator {
      yield* rows;
    }
    const options = format === 'json' ? undefined : { sequence: true };
    const expected = encodeSync(await loadWriter(format), rows, { options });
    for (const write of ways(format, options).slice(0, 2)) {
      expect(await write(each())).toEqual(expected);
      expect(await write(rows.values())).toEqual(expected);
      expect(await write({ [Symbol.iterator]: each })).toEqual(expected);
      await expect(
        write(
          (function* () {
            yield { id: 1 };
            fail();
          })(),
        ),
      ).rejects.toMatchObject({ code: 'thrown', format, path: [1], cause });
    }
    if (format !== 'json') for (const write of ways(format)) await expect(write(each())).rejects.toMatchObject({ code: 'unsupported', format });
  });
});

/** BSON and Sia have other rules for objects with a toJSON. */
describe.each(['json', 'messagepack', 'cbor'] as const)('encode of %s', (format) => {
  it('rejects with an EncodeError if the toJSON of the root throws', async () => {
    class Throws {
      toJSON = fail;
    }
    for (const write of ways(format)) await expect(write(new Throws())).rejects.toMatchObject({ name: 'EncodeError', code: 'thrown', format, cause });
  });
});
