import { describe, expect, it } from 'vitest';
import { insideText, spoil } from '../../../demo/race/damage.ts';

const text = JSON.stringify({ trips: Array.from({ length: 50 }, (_, id) => ({ id, name: 'Grand Street' })) });
const payload = new Blob([text]);

describe('spoil', () => {
  it('returns an intact payload unchanged', async () => {
    expect(await spoil(payload, 'none')).toBe(payload);
  });

  it('truncates the payload', async () => {
    const cut = await (await spoil(payload, 'cut')).text();
    expect(cut).toBe(text.slice(0, Math.floor(text.length * 0.6)));
  });

  it('replaces one byte inside a string with one that is invalid in UTF-8', async () => {
    const bytes = new Uint8Array(await (await spoil(payload, 'byte')).arrayBuffer());
    const changed = [...new TextEncoder().encode(text)].flatMap((byte, index) => (byte === bytes[index] ? [] : [index]));
    expect(bytes.length).toBe(text.length);
    expect(changed).toHaveLength(1);
    expect(bytes[changed[0]!]).toBe(0xc1);
    expect(text.slice(changed[0]! - 3, changed[0]! + 3)).toMatch(/^[A-Za-z]+$/);
  });

  it('replaces the payload with an error page', async () => {
    expect(await (await spoil(payload, 'page')).text()).toContain('502 Bad Gateway');
  });
});

describe('insideText', () => {
  it('finds letters surrounded by letters', () => {
    const bytes = new TextEncoder().encode('12,ab-Street');
    expect(String.fromCharCode(bytes[insideText(bytes)]!)).toBe('e');
    expect(insideText(new Uint8Array(100))).toBe(0);
  });
});
