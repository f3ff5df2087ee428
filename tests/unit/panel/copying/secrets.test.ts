import { expect, test } from 'vitest';
import { maskedUrl } from '../../../../devtools-extension/panel/send-again/secrets.ts';

test.each([
  ['https://a.test/b?token=1&c=2&api_key=3', 'https://a.test/b?token=••••••&c=2&api_key=••••••'],
  ['https://a.test/b?c=2#d&secret=e=f', 'https://a.test/b?c=2#d&secret=••••••'],
  ['https://a.test/b??token=1?&token', 'https://a.test/b??token=••••••&token'],
  ['https://a.test/b?token=&=1', 'https://a.test/b?token=&=1'],
])('the secret values in the query of an address are masked: %s', (url, masked) => {
  expect(maskedUrl(url)).toBe(masked);
});

test('an address of many question marks is read in one pass', () => {
  const url = `https://a.test/${'?'.repeat(1_000_000)}`;
  expect(maskedUrl(url)).toBe(url);
});
