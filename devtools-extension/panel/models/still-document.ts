import { trustedHtml } from '../../trusted.ts';

/** Elements that run, load or lead elsewhere. What is in a template could become part of the document again. */
const REMOVED = 'script, link, meta[http-equiv], base, iframe, frame, object, embed, applet, portal, template, fencedframe';
/** Attributes that hold an address. */
const ADDRESS =
  /^(?:xlink:)?(?:href|src|srcset|imagesrcset|action|formaction|ping|poster|background|data|manifest|codebase|cite|longdesc|lowsrc|dynsrc|classid|profile|attributionsrc)$/i;
/** Addresses that lead nowhere: within the document, or all there is. */
const HARMLESS = /^(?:#|data:(?:image|font|audio|video)\/)/i;
/** Nothing is loaded but what the document has in itself. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; media-src data:";

/**
 * A document in which nothing runs and which asks the network for nothing, for a frame in a sandbox. The sandbox and the
 * policies of the document and of the panel each forbid that already; what they leave open, such as opening connections
 * in advance, is taken out here.
 */
export function stillDocument(html: string): string {
  const parsed = new DOMParser().parseFromString(trustedHtml(html), 'text/html');
  for (const element of parsed.querySelectorAll(REMOVED)) element.remove();
  for (const element of parsed.querySelectorAll('*')) {
    for (const { name, value } of Array.from(element.attributes)) {
      if (/^on/i.test(name) || (ADDRESS.test(name) && !HARMLESS.test(value.trim()))) element.removeAttribute(name);
    }
  }
  const policy = parsed.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = POLICY;
  const noLookups = parsed.createElement('meta');
  noLookups.httpEquiv = 'x-dns-prefetch-control';
  noLookups.content = 'off';
  parsed.head.prepend(policy, noLookups);
  return `${parsed.compatMode === 'BackCompat' ? '' : '<!doctype html>'}${parsed.documentElement.outerHTML}`;
}
