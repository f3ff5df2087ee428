import { describe, expect, test, vi } from 'vitest';
import { Schemas } from '../../../../main/call/schemas.ts';
import { SchemaError } from '../../../../core/errors.ts';
import type { AnyFormat } from '../../../../core/format/format.ts';
import { formatEntry } from '../../../../core/formats/registry.ts';

const json = { ...formatEntry('json')!, schema: true };
const messagepack = formatEntry('messagepack')!;

/** Format with a schema compiler. */
function format(compileSchema: AnyFormat['compileSchema']): AnyFormat {
  return {
    createReader: () => {
      throw new Error('not to be used');
    },
    ...(compileSchema && { compileSchema }),
  };
}

describe('Schemas', () => {
  test('finds a schema by name, with its format', () => {
    const schemas = new Schemas({ trip: { format: 'json', schema: { a: 1 } } });
    expect(schemas.formatOf('trip')).toBe('json');
    expect(schemas.formatOf('none')).toBeUndefined();
    expect(schemas.formatOf({})).toBeUndefined();
    expect(schemas.formatOf(undefined)).toBeUndefined();
    expect(schemas.resolve('trip', json)).toMatchObject({ name: 'trip', format: 'json', source: { a: 1 } });
  });

  test('returns the same schema in calls that pass the same object', () => {
    const schemas = new Schemas({ trip: { format: 'json', schema: {} } });
    const given = {};
    const first = schemas.resolve(given, json)!;
    expect(schemas.resolve(given, json)).toBe(first);
    const ids = [first, schemas.resolve({}, json)!, schemas.resolve(given, messagepack)!, schemas.resolve('trip', json)!];
    expect(new Set(ids.map(({ id }) => id)).size).toBe(4);
  });

  test('throws an error that names a schema that is missing or of the wrong format', () => {
    const schemas = new Schemas({ trip: { format: 'json', schema: {} } });
    const thrown = (run: () => unknown): unknown => {
      try {
        return run();
      } catch (error) {
        return error;
      }
    };
    expect(schemas.resolve(undefined, messagepack)).toBeUndefined();
    expect(thrown(() => schemas.resolve(undefined, json))).toMatchObject({ name: 'SchemaError', format: 'json' });
    expect(thrown(() => schemas.resolve('none', json))).toMatchObject({ name: 'SchemaError', schema: 'none' });
    expect(thrown(() => schemas.resolve('trip', messagepack))).toMatchObject({ name: 'SchemaError', schema: 'trip' });
  });

  test('compiles a schema once', async () => {
    const compile = vi.fn(async (source: unknown) => Promise.resolve({ compiled: source }));
    const load = vi.fn<() => Promise<object>>();
    const schemas = new Schemas({ trip: { format: 'json', schema: 'source' } }, load);
    const schema = schemas.resolve('trip', json)!;
    await Promise.all([schemas.compile(schema, format(compile)), schemas.compile(schema, format(compile))]);
    await schemas.compile(schema, format(compile));
    expect(compile.mock.calls).toEqual([['source', 'trip', load]]);
    expect(schema.compiled).toEqual({ compiled: 'source' });
  });

  test('compiles a schema again after a failure', async () => {
    const compile = vi.fn((): unknown => {
      throw new SchemaError('no');
    });
    const schemas = new Schemas({ trip: { format: 'json', schema: 'source' } });
    const schema = schemas.resolve('trip', json)!;
    await expect(schemas.compile(schema, format(compile))).rejects.toThrow('no');
    compile.mockImplementation(() => 1);
    await schemas.compile(schema, format(compile));
    expect(schema.compiled).toBe(1);
  });

  test('rejects a schema for a format without schemas', async () => {
    const schemas = new Schemas();
    const schema = schemas.resolve({}, messagepack)!;
    await expect(schemas.compile(schema, format(undefined))).rejects.toMatchObject({ name: 'SchemaError', format: 'messagepack' });
  });
});
