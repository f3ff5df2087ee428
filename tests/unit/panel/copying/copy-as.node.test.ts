import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Exchange } from '../../../../devtools-extension/adapter/adapter.ts';
import { createPageAdapter } from '../../../../devtools-extension/adapter/page.ts';
import { curlOf } from '../../../../devtools-extension/panel/copy/copy-curl.ts';
import { readHar } from '../../../../devtools-extension/panel/files/har.ts';
import fc from '../../../setup/properties/property.ts';

const exchange = (given: Partial<Exchange> = {}): Exchange => createPageAdapter().add({ url: 'https://a.test/x?y=1', ...given });
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const REST = ['--compressed', '--output', 'body.bin'];

/** Text that shells, terminals and curl misinterpret. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'\'"`$\\!&|;<>(){}[]*?~#% \t\n\r@-=^'.split(''),
        "'\\''",
        '$(touch pwned)',
        '`touch pwned`',
        '$IFS$9',
        '${HOME}',
        '&touch pwned&',
        '\n!!\n',
        '\u001b[201~',
        '\u0003',
        '\u007f',
        '\u009b',
        'é',
        '🚲',
        '\u2028',
        '%USERNAME%',
        '</script>',
      ),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join('').replaceAll('\0', ''));

describe('request copied for a shell', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'copied-'));
    writeFileSync(join(folder, 'curl'), `#!/bin/sh\nfor word in "$@"; do printf '%s\\0' "$word"; done >words\n[ -p /dev/stdin ] && cat\nexit 0\n`);
    chmodSync(join(folder, 'curl'), 0o755);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Words that a shell passes to curl, and the input that curl can read. */
  function run(command: string, shell = 'sh', isTyped = false): { words: string[]; input: Buffer } {
    const { stdout, stderr } = spawnSync(shell, isTyped ? ['--norc', '--noprofile', '-i'] : ['-c', command], {
      // Typed text must not name a file that curl reads.
      input: isTyped ? `${command} </dev/null\n` : '',
      cwd: folder,
      env: { ...process.env, PATH: `${folder}:${process.env['PATH']}`, HISTFILE: '', PS1: '', PS2: '', LC_ALL: 'C.UTF-8' },
    });
    if (!isTyped) expect(stderr.toString()).toBe('');
    return { words: readFileSync(join(folder, 'words'), 'utf8').split('\0').slice(0, -1), input: stdout };
  }

  test('executes nothing from its method', () => {
    const { words } = run(curlOf(exchange({ method: 'X&printf$IFS$9PWNED&' }), undefined));
    expect(words).toEqual(['--globoff', '--url', 'https://a.test/x?y=1', '-X', 'X&printf$IFS$9PWNED&', ...REST]);
  });

  test('repeats the request', () => {
    const requestHeaders = [
      { name: 'X-Who', value: `it's "me" $HOME` },
      { name: ':method', value: 'GET' },
      { name: 'X-Empty', value: '' },
    ];
    const { words } = run(curlOf(exchange({ requestHeaders }), undefined));
    expect(words).toEqual(['--globoff', '--url', 'https://a.test/x?y=1', '-H', `X-Who: it's "me" $HOME`, '-H', 'X-Empty;', ...REST]);
  });

  test('sends text unchanged, and bytes decoded from base64', () => {
    const text = `{"it's": "$HOME",\t"a": 1}\n`;
    const { words } = run(curlOf(exchange({ method: 'PUT' }), utf8(text)));
    expect(words).toEqual(['--globoff', '--url', 'https://a.test/x?y=1', '-X', 'PUT', '--data-binary', text, ...REST]);
    const bytes = Uint8Array.of(0x82, 0, 0xff, 0x27, 10);
    const sent = run(curlOf(exchange({ method: 'POST' }), bytes));
    expect(sent.words).toContain('@-');
    expect(Uint8Array.from(sent.input)).toEqual(bytes);
  });

  test('omits headers whose name curl would read as a file', () => {
    const { words } = run(curlOf(exchange({ requestHeaders: [{ name: '@/etc/passwd', value: '' }] }), undefined));
    expect(words).toEqual(['--globoff', '--url', 'https://a.test/x?y=1', ...REST]);
  });

  test('contains no control characters except line ends', () => {
    const value = '\u001b[201~\u0003touch pwned\t\u009b\u007f';
    const command = curlOf(exchange({ method: value, url: `https://a.test/${value}`, requestHeaders: [{ name: 'a', value }] }), utf8(`1\t${value}`));
    expect(command).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(run(command).words.slice(0, 7)).toEqual(['--globoff', '--url', `https://a.test/${value}`, '-X', value, '-H', `a: ${value}`]);
  });

  test.each(['sh', 'bash'])('reaches curl word for word through %s', (shell) =>
    fc.assert(
      fc.property(nasty, nasty, nasty, nasty, (method, url, value, body) => {
        const command = curlOf(exchange({ method, url, requestHeaders: [{ name: 'x', value }] }), utf8(body));
        const { words, input } = run(command, shell);
        const line = value.replaceAll(/[\r\n]+/g, ' ');
        const data = body === '' ? [] : ['--data-binary', words.includes('@-') ? '@-' : body];
        const named = method === (body === '' ? 'GET' : 'POST') ? [] : ['-X', method];
        expect(words).toEqual(['--globoff', '--url', url, ...named, '-H', line.trim() === '' ? 'x;' : `x: ${line}`, ...data, ...REST]);
        if (words.includes('@-')) expect(input.toString()).toBe(body);
      }),
      { numRuns: 60 },
    ),
  );

  test('reaches curl word for word if typed into bash, which expands `!`', () => {
    const body = `'it'\n!!\nit's !x "!y"\n!touch`;
    const { words } = run(curlOf(exchange({ method: 'A!!B', requestHeaders: [{ name: 'x', value: `'!e!` }] }), utf8(body)), 'bash', true);
    expect(words).toEqual(['--globoff', '--url', 'https://a.test/x?y=1', '-X', 'A!!B', '-H', `x: '!e!`, '--data-binary', body, ...REST]);
  });
});

describe("reader of another tool's HAR file", () => {
  const url = 'https://a.test/';
  let id = 0;

  test.each<[string, object]>([
    ['a method that is not text', { request: { url, method: { toString: 1 } } }],
    ['headers that are not a list', { request: { url, headers: 'a: b' }, response: { headers: { name: 'a' } } }],
    ['headers without names or values', { request: { url, headers: [null, 'a', { name: 'a' }, { value: 'b' }, { name: 1, value: 2 }] } }],
    ['null for each record', { request: { url, postData: null, headers: null }, response: null, timings: null }],
    ['a response of other kinds', { request: { url }, response: { status: '2', statusText: 3, bodySize: {}, content: { text: 1, mimeType: [] } } }],
    ['times of other kinds', { startedDateTime: 5, time: 'x', serverIPAddress: {}, _resourceType: 7, timings: 'abc', request: { url } }],
    ['another kind of body', { request: { url, postData: { text: 5, _base64: { x: 1 } } } }],
  ])('reads it, with requests that can be copied, if it has %s', async (_, entry) => {
    const [read] = readHar(JSON.stringify({ log: { entries: [entry] } }), () => ++id)!;
    expect(read).toMatchObject({ url, method: 'GET', status: 0, statusText: '', contentType: '', duration: expect.any(Number) as number });
    expect(read!.requestHeaders).toEqual([]);
    expect(read!.responseHeaders).toEqual([]);
    await read!.responseBody();
    await read!.requestBody?.();
    expect(curlOf(read!, undefined)).toContain('curl');
  });
});
