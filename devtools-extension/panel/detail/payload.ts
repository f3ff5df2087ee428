import type { Exchange } from '../../adapter/adapter.ts';

type Field = readonly [name: string, value: string];

/** Query parameters of a URL, decoded and in order. */
export function queryOf(url: string): Field[] {
  const at = url.indexOf('?');
  return at < 0 ? [] : fieldsOf(url.slice(at + 1).replace(/#.*$/s, ''));
}

/** Fields of an `application/x-www-form-urlencoded` body; undefined for other types. */
export function formFieldsOf({ requestHeaders }: Exchange, body: Uint8Array): Field[] | undefined {
  const type = requestHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  return /^application\/x-www-form-urlencoded\b/i.test(type) ? fieldsOf(new TextDecoder().decode(body)) : undefined;
}

/** https://url.spec.whatwg.org/#application/x-www-form-urlencoded */
function fieldsOf(text: string): Field[] {
  return [...new URLSearchParams(text)];
}
