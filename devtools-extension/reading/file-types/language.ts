import { looksLikeMarkup } from '../../../core/formats/detect.ts';
import { isText } from './signatures.ts';

/** Language that the panel can format. */
export type Language = 'html' | 'xml' | 'css' | 'javascript' | 'json';

/** Languages by media type. For other types, the file extension and the bytes decide. */
const TYPES: readonly (readonly [RegExp, Language])[] = [
  [/^text\/html\b/i, 'html'],
  [/^(?:text|application)\/xml\b|\+xml\b/i, 'xml'],
  [/^text\/css\b/i, 'css'],
  [/^(?:text|application)\/(?:x-)?(?:java|ecma)script\b/i, 'javascript'],
  [/^(?:text|application)\/json\b|\+json\b/i, 'json'],
];
const NAMES: Readonly<Record<string, Language>> = {
  html: 'html',
  htm: 'html',
  xml: 'xml',
  svg: 'xml',
  rss: 'xml',
  xhtml: 'xml',
  css: 'css',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  json: 'json',
  map: 'json',
};
/** Number of bytes examined for an HTML document. */
const HEAD = 1024;

/** Language of a text body, by Content-Type, file extension or first bytes. */
export function languageOf(bytes: Uint8Array, contentType: string, url: string): Language | undefined {
  if (bytes.length === 0 || !isText(bytes)) return undefined;
  const declared = TYPES.find(([type]) => type.test(contentType.trim()))?.[1];
  if (declared) return declared;
  const named = NAMES[/\.(\w+)$/.exec(pathOf(url))?.[1]?.toLowerCase() ?? ''];
  if (named) return named;
  if (!looksLikeMarkup(bytes)) return undefined;
  return /<!doctype html|<html\b/i.test(new TextDecoder().decode(bytes.subarray(0, HEAD))) ? 'html' : 'xml';
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '');
}
