import { trustedHtml } from '../../reading/worker/trusted.ts';

/** Elements that run, load or lead elsewhere. What is in a template could become part of the document again. */
const REMOVED = 'script, link, meta[http-equiv], base, iframe, frame, object, embed, applet, portal, template, fencedframe';
/** Attributes that hold an address. */
const ADDRESS = /^(?:xlink:)?(?:href|src|action|formaction|poster|background|data|manifest|codebase|cite|longdesc|lowsrc|dynsrc|classid|profile)$/i;
/** Attributes that hold several addresses, of which the first alone may be harmless. */
const ADDRESSES = /^(?:srcset|imagesrcset|ping|archive|attributionsrc)$/i;
/** Addresses that lead nowhere: within the document, or all there is. */
const HARMLESS = /^(?:#|data:(?:image|font|audio|video)\/)/i;
/** Nothing is loaded but what the document has in itself. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; media-src data:";
/** Elements that the document is given, at its very beginning. */
const GIVEN = [
  ['Content-Security-Policy', POLICY],
  ['x-dns-prefetch-control', 'off'],
] as const;
/** Documents are parsed so many times. One that always has something new in it is made for that, and not shown. */
const MOST_ROUNDS = 8;
const NOT_SHOWN = '<p>This document cannot be shown without what it would load.</p>';

/**
 * A document in which nothing runs and which asks the network for nothing, for a frame in a sandbox. The sandbox and the
 * policies of the document and of the panel each forbid that already; what they leave open, such as opening connections
 * in advance, is taken out here. The frame parses the text anew, and what was text may become elements then (a form in a
 * form, a style sheet in MathML): so it is done with a text in which there is nothing left to take out.
 */
export function stillDocument(html: string): string {
  let text = html;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const parsed = new DOMParser().parseFromString(trustedHtml(text), 'text/html');
    const isStill = !takeOut(parsed);
    if (round > 0 && isStill) return text;
    text = textOf(parsed);
  }
  const refused = new DOMParser().parseFromString(trustedHtml(NOT_SHOWN), 'text/html');
  return textOf(refused);
}

/** Takes out what runs, loads or leads elsewhere. Returns whether there was any. */
function takeOut(parsed: Document): boolean {
  let isTaken = false;
  for (const element of parsed.querySelectorAll(REMOVED)) {
    if (!isGiven(element)) isTaken = true;
    element.remove();
  }
  for (const element of parsed.querySelectorAll('*')) {
    // An animation may set an address.
    if (isAddress(element.getAttribute('attributeName') ?? '')) {
      element.remove();
      isTaken = true;
      continue;
    }
    for (const { name, value } of Array.from(element.attributes)) {
      if (!/^on/i.test(name) && !ADDRESSES.test(name) && !(ADDRESS.test(name) && !HARMLESS.test(value.trim()))) continue;
      element.removeAttribute(name);
      isTaken = true;
    }
  }
  return isTaken;
}

function isAddress(name: string): boolean {
  return ADDRESS.test(name) || ADDRESSES.test(name);
}

function isGiven(element: Element): boolean {
  return GIVEN.some(([name, content]) => element.getAttribute('http-equiv') === name && element.getAttribute('content') === content);
}

/** The document as text, with what it is given. */
function textOf(parsed: Document): string {
  const given = GIVEN.map(([name, content]) => {
    const meta = parsed.createElement('meta');
    meta.httpEquiv = name;
    meta.content = content;
    return meta;
  });
  parsed.head.prepend(...given);
  return `${parsed.compatMode === 'BackCompat' ? '' : '<!doctype html>'}${parsed.documentElement.outerHTML}`;
}
