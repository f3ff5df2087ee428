import { describe, expect, it } from 'vitest';
import { previewOf } from '../../../devtools-extension/panel/preview/preview.ts';
import { inertDocument } from '../../../devtools-extension/panel/preview/inert-document.ts';
import type { Language } from '../../../devtools-extension/reading/file-types/language.ts';
import { stagePanel } from '../../setup/panel/panel-stage.ts';

const stage = stagePanel();
const find = <T extends Element>(selector: string): T | null => stage.element.querySelector<T>(selector);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const tabs = (): string[] => Array.from(stage.element.querySelectorAll('[role=tab]'), ({ textContent }) => textContent);
const chosen = (): string | undefined => find('[role=tab][aria-selected=true]')?.textContent;

/** Opens a body. */
async function open(name: string, contentType: string, bytes: Uint8Array): Promise<void> {
  const { id } = adapter.add({ url: `https://site.test/${name}`, contentType, bytes });
  stage.panel.requests.flush();
  await stage.panel.selection.select(id);
  await expect.poll(() => stage.panel.selection.state.value.status).toBe('ready');
}
let adapter: ReturnType<typeof stage.mount>;

describe('a document', () => {
  it.each([
    ['<script>a()</script>', 'a()'],
    ['<svg><script href="https://a.test/x">a()</script></svg>', 'a()'],
    ['<img src="https://a.test/x" onerror="a()">', 'a()'],
    ['<img srcset="https://a.test/x 2x">', 'a.test'],
    ['<link rel="preconnect" href="https://a.test">', 'a.test'],
    ['<base href="https://a.test/">', 'a.test'],
    ['<meta http-equiv="refresh" content="0;url=https://a.test">', 'a.test'],
    ['<a href="https://a.test/x" ping="https://a.test/y">b</a>', 'a.test'],
    ['<a href=" javascript:a()">b</a>', 'javascript'],
    ['<a href="data:text/html,<script>a()</script>">b</a>', 'data:text'],
    ['<svg><a xlink:href="https://a.test">b</a><use href="https://a.test#b"/></svg>', 'a.test'],
    ['<form action="https://a.test"><button formaction="https://a.test">b</button></form>', 'a.test'],
    ['<iframe srcdoc="<script>a()</script>"></iframe>', 'a()'],
    ['<object data="https://a.test"></object><embed src="https://a.test">', 'a.test'],
    ['<video poster="https://a.test/x" src="https://a.test/y"></video>', 'a.test'],
    ['<div><template shadowrootmode="open"><link rel="preconnect" href="https://a.test"></template></div>', 'a.test'],
    ['<noscript><link rel="preconnect" href="https://a.test"></noscript>', 'a.test'],
    ['<table background="https://a.test">', 'a.test'],
    ['<img srcset="#b 1x, https://a.test/x 2x">', 'a.test'],
    ['<img srcset="data:image/png;base64,aaaa 1x, https://a.test/x 2x">', 'a.test'],
    ['<svg><a><animate attributeName="href" to="https://a.test"/><text>b</text></a></svg>', 'a.test'],
    ['<svg><image><set attributeName="xlink:href" to="https://a.test"/></image></svg>', 'a.test'],
    ...['preconnect', 'dns-prefetch', 'preload', 'prefetch', 'modulepreload', 'prerender', 'stylesheet', 'icon', 'manifest'].map(
      (rel): [string, string] => [`<svg><desc><LINK rel="${rel}" href="https://a.test"></desc></svg>`, 'a.test'],
    ),
    ['<meta http-equiv="Refresh" content="0;url=https://a.test">', 'a.test'],
    ['<meta http-equiv="Content-Security-Policy" content="report-uri https://a.test">', 'a.test'],
  ])('is shown without what runs or asks for something: %s', (html, gone) => {
    const still = inertDocument(`<p>kept</p>${html}`);
    expect(still).toContain('<p>kept</p>');
    expect(still).not.toContain(gone);
  });

  // Documents that a second parser reads differently.
  it.each([
    '<form><math><mtext></form><form><mglyph><style></math><link rel="preconnect" href="https://a.test">',
    '<math><mtext><table><mglyph><style><!--</style><link title="--&gt;&lt;link rel=preconnect href=https://a.test&gt;">',
    '<svg><p><style><a id="</style><link rel=preconnect href=https://a.test>">',
    '<noscript><p title="</noscript><link rel=preconnect href=https://a.test>">',
    '<math><annotation-xml encoding="text/html"><style><!--</style></annotation-xml><link rel=preconnect href="https://a.test">',
    '<form id="a"><div></form><form id="b"><input form="a"><math><mtext></form><form><mglyph><svg><mtext><style><link rel=preconnect href=https://a.test></style>',
    '<table><form><math><mtext></form><form><mglyph><style></math><img src=https://a.test onerror=a()>',
    '<select><template><style><!--</style><a rel="--></style></template></select><link rel=preconnect href=https://a.test>">',
  ])('has no elements for the frame, which parses it anew, that it had not before: %s', (html) => {
    const frame = new DOMParser().parseFromString(inertDocument(`<p>kept</p>${html}`), 'text/html');
    expect(frame.querySelector('p')?.textContent).toBe('kept');
    expect(Array.from(frame.querySelectorAll('link, script, base, iframe, [href], [src], [onerror]'))).toEqual([]);
    expect(frame.querySelectorAll('meta')).toHaveLength(2);
  });

  it('stays hidden if parsers disagree about it', () => {
    const nested = '<form><math><mtext></form><form><mglyph><style></math>';
    const still = inertDocument(nested.repeat(20) + '<link rel="preconnect" href="https://a.test">');
    const frame = new DOMParser().parseFromString(still, 'text/html');
    expect(frame.querySelectorAll('link')).toHaveLength(0);
  });

  it('keeps styles, embedded images and anchors', () => {
    const still = inertDocument(
      '<!doctype html><style>p { color: red }</style><p style="margin: 0">a</p><img src="data:image/png;base64,aaaa"><a href="#b">b</a>',
    );
    for (const kept of ['<!doctype html>', 'p { color: red }', 'style="margin: 0"', 'data:image/png;base64,aaaa', 'href="#b"'])
      expect(still).toContain(kept);
  });

  it('starts with its own policy', () => {
    expect(inertDocument('<head><title>a</title></head>')).toMatch(
      /^<html><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; /,
    );
  });

  it('appears in a sandbox without permissions', async () => {
    adapter = stage.mount();
    await open('page', 'text/html', utf8('<!doctype html><p>a</p>'));
    await expect.poll(chosen).toBe('Text');
    find<HTMLElement>('#tab-preview')!.click();
    await expect.poll(() => find('iframe')).not.toBeNull();
    const frame = find<HTMLIFrameElement>('iframe')!;
    expect(frame.getAttribute('sandbox')).toBe('');
    expect(frame.srcdoc).toContain('<p>a</p>');
    expect(frame.contentDocument).toBeNull();
  });
});

describe('the selected tab', () => {
  it('changes to the text for bodies without a value, and back to the tree', async () => {
    adapter = stage.mount();
    await open('a.css', 'text/css', utf8('a{b:c}'));
    await expect.poll(chosen).toBe('Text');
    await expect
      .poll(() => Array.from(stage.element.querySelectorAll('.text-line'), ({ textContent }) => textContent))
      .toEqual(['1a {', '2  b: c', '3}']);
    await open('b', 'application/json', utf8('[1]'));
    await expect.poll(chosen).toBe('Tree and bytes');
    expect(tabs()).not.toContain('Preview');
  });

  it('stays on the bytes if they were selected', async () => {
    adapter = stage.mount();
    await open('a.css', 'text/css', utf8('a{}'));
    await expect.poll(chosen).toBe('Text');
    find<HTMLElement>('#tab-tree')!.click();
    await open('b.css', 'text/css', utf8('b{}'));
    await expect.poll(chosen).toBe('Bytes');
  });

  it('toggles between original and formatted text by key', async () => {
    adapter = stage.mount();
    await open('a.xml', 'text/xml', utf8('<a><b/></a>'));
    const lines = (): number => stage.element.querySelectorAll('.text-line').length;
    await expect.poll(lines).toBe(3);
    const press = (): boolean => find('.text-lines')!.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', bubbles: true }));
    press();
    await expect.poll(lines).toBe(1);
    press();
    await expect.poll(lines).toBe(3);
  });
});

describe('the preview of an image', () => {
  const of = (bytes: readonly number[], language?: Language) => previewOf({ bytes: Uint8Array.from(bytes), language });

  it('has the type that its first bytes tell', () => {
    expect(of([0, 0, 0, 24, ...utf8('ftypavif')])).toEqual({ kind: 'image', type: 'image/avif' });
  });

  it('shows SVG as an image', () => {
    expect(of([...utf8('<?xml version="1.0"?>\n<!-- a --><svg xmlns="http://www.w3.org/2000/svg"/>')], 'xml')).toEqual({
      kind: 'image',
      type: 'image/svg+xml',
    });
    expect(of([...utf8('<a><svg/></a>')], 'xml')).toBeUndefined();
  });

  it('ignores bodies that only resemble an image header', () => {
    for (const bytes of [[], [0xff, 0xd8], [0, 0, 1]]) expect(of(bytes)).toBeUndefined();
  });
});
