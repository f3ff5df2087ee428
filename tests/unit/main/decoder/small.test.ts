import { describe, expect, it, vi } from 'vitest';
import { prepare } from '../../../../main/decoder/prepare.ts';
import { Schemas } from '../../../../main/decoder/schemas.ts';
import { resolveLimits } from '../../../../core/limits.ts';

vi.resetModules();
const { decodeHere, LATER } = await import('../../../../main/decoder/run/small.ts');

const bytes = new TextEncoder().encode('{"a": [1, 2]}');

/** Decodes without any format code, as on a page that was just opened. */
function decode(options: object): unknown {
  const defaults = { schemas: new Schemas(undefined), limits: resolveLimits() };
  return decodeHere(prepare(defaults, bytes, { format: 'json', options }, bytes), bytes);
}

describe('decoder of small JSON payloads', () => {
  it.each([[{}], [{ bigints: 'number' }], [{ sequence: false }], [{ bigints: undefined, sequence: undefined }]])(
    'parses with the engine at once with default options: %j',
    (options) => {
      expect(decode(options)).toEqual({ a: [1, 2] });
    },
  );

  it.each([[{ bigints: 'bigint' }], [{ sequence: true }]])('waits for the reader with options the engine does not support: %j', (options) => {
    expect(decode(options)).toBe(LATER);
  });
});
