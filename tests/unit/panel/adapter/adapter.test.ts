import { describe, expect, test } from 'vitest';
import { bodyOfText, requestBytes } from '../../../../devtools-extension/adapter/bytes.ts';
import { Intake } from '../../../../devtools-extension/adapter/intake.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('bodyOfText', () => {
  test('restores the sent bytes if the lengths agree', () => {
    expect(bodyOfText('größe', 7)).toEqual({ bytes: utf8('größe') });
    expect(bodyOfText('', 0)).toEqual({ bytes: utf8('') });
  });

  test('restores text decoded as windows-1252', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    expect(bodyOfText(new TextDecoder('windows-1252').decode(bytes), 256)).toEqual({ bytes });
  });

  test.each([0, 4, 1_000])('restores UTF-8 that was decoded as windows-1252, if the size is that of a part or unknown: %i', (size) => {
    const bytes = utf8('größe 🌦');
    expect(bodyOfText(new TextDecoder('windows-1252').decode(bytes), size)).toEqual({ bytes });
    expect(bodyOfText('größe', size)).toMatchObject({ bytes: utf8('größe') });
  });

  test('restores the byte order mark that the decoder removes', () => {
    expect(bodyOfText('[1]', 6)).toEqual({ bytes: Uint8Array.of(0xef, 0xbb, 0xbf, ...utf8('[1]')) });
  });

  test('marks a body as lossy if bytes were lost', () => {
    const sent = Uint8Array.of(0x82, 0xa1, 0x61, 0xff);
    expect(bodyOfText(new TextDecoder().decode(sent), sent.length)).toMatchObject({ lossy: true });
    // Three bytes of a four-byte character decode to one three-byte character.
    const cut = Uint8Array.of(0xf0, 0x9f, 0x98);
    expect(bodyOfText(new TextDecoder().decode(cut), cut.length)).toMatchObject({ lossy: true });
  });
});

describe('requestBytes', () => {
  const header = (length: number) => [{ name: 'Content-Length', value: String(length) }];

  test('returns one byte per character if the body is not UTF-8', () => {
    expect(requestBytes('\u00c1\u0001', header(2))).toEqual({ bytes: Uint8Array.of(0xc1, 1) });
    expect(requestBytes('é', header(2))).toEqual({ bytes: utf8('é') });
  });

  test('marks a body as lossy if the length differs or is ambiguous', () => {
    expect(requestBytes('�', header(9))).toMatchObject({ lossy: true });
    expect(requestBytes('é', [])).toMatchObject({ lossy: true });
    expect(requestBytes('e', [])).toMatchObject({ lossy: false });
    expect(requestBytes('ab', header(9))).toMatchObject({ lossy: true });
  });

  test('returns one byte per character without a known length, if control characters show that it is not text', () => {
    const type = (value: string) => [{ name: 'Content-Type', value }];
    expect(requestBytes('\u00de\u0000\u0004', type('application/vnd.msgpack'))).toEqual({ bytes: Uint8Array.of(0xde, 0, 4) });
    expect(requestBytes('\u00de\u0000\u0004', type('application/json'))).toMatchObject({ lossy: true });
    expect(requestBytes('é', type('application/vnd.msgpack'))).toMatchObject({ lossy: true });
  });
});

describe('Intake', () => {
  test('takes a request once, whether the event or the log comes first', () => {
    const intake = new Intake();
    expect(intake.finish('a')).toBe(0);
    expect(intake.log('a', 0, true)).toBe(false);
    expect(intake.log('open', 0, false)).toBe(true);
    expect(intake.log('open', 0, false)).toBe(false);
    expect(intake.finish('open')).toBe(-1);
  });

  test('takes all of several identical requests', () => {
    const intake = new Intake();
    expect([intake.finish('a'), intake.finish('a')]).toEqual([0, 1]);
    expect([0, 1, 2].map((nth) => intake.log('a', nth, true))).toEqual([false, false, true]);
    expect(intake.finish('a')).toBe(3);
  });
});
