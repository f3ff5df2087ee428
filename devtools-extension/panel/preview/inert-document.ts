import { trustedHtml } from '../../reading/worker/trusted.ts';

/** Elements that run, load or navigate. Content of a template could re-enter the document. */
const REMOVED = 'script, link, meta[http-equiv], base, iframe, frame, object, embed, applet, portal, template, fencedframe';
/** Attributes that hold a URL. */
const ADDRESS = /^(?:xlink:)?(?:href|src|action|formaction|poster|background|data|manifest|codebase|cite|longdesc|lowsrc|dynsrc|classid|profile)$/i;
/** Attributes that hold several URLs; a harmless first one proves nothing. */
const ADDRESSES = /^(?:srcset|imagesrcset|ping|archive|attributionsrc)$/i;
/** URLs that load nothing: fragments and embedded data. */
const HARMLESS = /^(?:#|data:(?:image|font|audio|video)\/)/i;
/** Policy that allows embedded content only. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; media-src data:";
/** Meta elements inserted at the beginning of the document. */
const INSERTED = [
  ['Content-Security-Policy', POLICY],
  ['x-dns-prefetch-control', 'off'],
] as const;
/** Maximum number of parses. A document that yields something new each time is an attack and is not shown. */
const MAX_ROUNDS = 8;
const NOT_SHOWN = '<p>This document cannot be shown safely.</p>';

/**
 * Makes a document inert, for display in a sandboxed frame. The sandbox and the policies of document and panel forbid
 * scripts and requests already; this removes what they leave open, such as preconnects. The frame parses the text again,
 * which may turn text into elements (a form in a form, a style sheet in MathML), so the text is parsed until nothing is
 * left to remove.
 */
export function inertDocument(html: string): string {
  let text = html;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const parsed = new DOMParser().parseFromString(trustedHtml(text), 'text/html');
    const isInert = !removeActive(parsed);
    if (round > 0 && isInert) return text;
    text = textOf(parsed);
  }
  const refused = new DOMParser().parseFromString(trustedHtml(NOT_SHOWN), 'text/html');
  return textOf(refused);
}

/** Removes everything that runs, loads or navigates. Returns true if anything was removed. */
function removeActive(parsed: Document): boolean {
  let isChanged = false;
  for (const element of parsed.querySelectorAll(REMOVED)) {
    if (!isInserted(element)) isChanged = true;
    element.remove();
  }
  for (const element of parsed.querySelectorAll('*')) {
    // An animation may set a URL.
    if (isAddress(element.getAttribute('attributeName') ?? '')) {
      element.remove();
      isChanged = true;
      continue;
    }
    for (const { name, value } of Array.from(element.attributes)) {
      if (!/^on/i.test(name) && !ADDRESSES.test(name) && !(ADDRESS.test(name) && !HARMLESS.test(value.trim()))) continue;
      element.removeAttribute(name);
      isChanged = true;
    }
  }
  return isChanged;
}

function isAddress(name: string): boolean {
  return ADDRESS.test(name) || ADDRESSES.test(name);
}

function isInserted(element: Element): boolean {
  return INSERTED.some(([name, content]) => element.getAttribute('http-equiv') === name && element.getAttribute('content') === content);
}

/** Document as text, including the inserted elements. */
function textOf(parsed: Document): string {
  const inserted = INSERTED.map(([name, content]) => {
    const meta = parsed.createElement('meta');
    meta.httpEquiv = name;
    meta.content = content;
    return meta;
  });
  parsed.head.prepend(...inserted);
  return `${parsed.compatMode === 'BackCompat' ? '' : '<!doctype html>'}${parsed.documentElement.outerHTML}`;
}
