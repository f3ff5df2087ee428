import { describe, expect, it, vi } from 'vitest';
import { prepare } from '../../../../main/call/prepare.ts';
import { Schemas } from '../../../../main/call/schemas.ts';
import { resolveLimits } from '../../../../core/limits.ts';

vi.resetModules();
const { decodeAtOnce, LATER } = await import('../../../../main/run/at-once.ts');

/** Decodes without any format code, as on a page that was just opened. */
function decode(options: object, text = '{"a": [1, 2]}'): unknown {
  const bytes = new TextEncoder().encode(text);
  const defaults = { schemas: new Schemas(undefined), limits: resolveLimits() };
  return decodeAtOnce(prepare(defaults, bytes, { format: 'json', options }, bytes), bytes);
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

  it('waits for the reader if the text is invalid', () => {
    expect(decode({}, '{"a": [1, 2]')).toBe(LATER);
  });
});
