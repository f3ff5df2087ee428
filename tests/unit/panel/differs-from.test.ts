import { expect, test } from 'vitest';
import { differsFrom } from '../../../devtools-extension/panel/messages/differs-from.ts';

test('a row begins at the key at which it differs from its neighbours', () => {
  const chunk = (text: string): string => `{"id":"chatcmpl-1","object":"chunk","choices":[{"delta":{"content":"${text}"}}]}`;
  expect(chunk('Hi').slice(differsFrom(chunk('Hi'), [chunk('Oak'), chunk(' there')]))).toBe('"content":"Hi"}}]}');
  expect(differsFrom(chunk('Hi'), [chunk('Hi'), chunk('Oak')])).toBeGreaterThan(0);
  expect(differsFrom(chunk('Hi'), [chunk('Oak'), '{"error":1}'])).toBe(0);
  for (const neighbours of [[], [chunk('Hi')]]) expect(differsFrom(chunk('Hi'), neighbours)).toBe(0);
  expect(differsFrom('{"a":1}', ['{"a":2}'])).toBe(0);
});
