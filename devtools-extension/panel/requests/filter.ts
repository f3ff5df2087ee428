import type { FormatId } from '../../../core/format/format-id.ts';
import { nameOf } from '../../text/address.ts';
import { mayBeData, type Row, type Shown } from './row.ts';

/** Filter of the request list. */
export interface RowFilter {
  text: string;
  shown: Shown;
  format: FormatId | '';
}

/** Rows that match a filter, in order. */
export function filterRows(rows: readonly Row[], { text, shown, format }: RowFilter): readonly Row[] {
  const terms = wordsOf(text).map(termOf);
  return rows.filter((row) => {
    const { exchange, detection } = row;
    if (!terms.every((fits) => fits(row))) return false;
    if (format && detection?.format !== format) return false;
    if (shown === 'all') return true;
    if (shown === 'binary') return detection?.format !== undefined && detection.format !== 'json';
    return detection?.format !== undefined || mayBeData(exchange);
  });
}

/** Properties that a filter names but the list does not have. Their terms are searched as text, such as `localhost:3000`. */
export function unknownProperties(text: string): string[] {
  const named = wordsOf(text).map(({ word }) => propertyOf(word)?.property);
  return named.filter((property) => property !== undefined && !Object.hasOwn(PROPERTIES, property)) as string[];
}

type Term = (row: Row) => boolean;

/** Properties that a term may name, as in Chrome's Network panel. Their values are in lower case. */
const PROPERTIES: Readonly<Record<string, (value: string) => Term>> = {
  domain: (value) => (row) => urlOf(row)?.hostname.includes(value.replace(/^\*/, '')) ?? false,
  'has-request-header': (value) => (row) => row.exchange.requestHeaders.some(({ name }) => name.toLowerCase() === value),
  'has-response-header': (value) => (row) => row.exchange.responseHeaders.some(({ name }) => name.toLowerCase() === value),
  'larger-than': (value) => {
    const [, digits = '0', unit = ''] = /^(\d+(?:\.\d+)?)([km]?)/.exec(value) ?? [];
    const least = Number(digits) * (unit === 'm' ? 1e6 : unit === 'k' ? 1e3 : 1);
    return ({ size }) => size > least;
  },
  method: (value) => (row) => row.exchange.method.toLowerCase() === value,
  'mime-type': (value) => (row) => row.exchange.contentType.toLowerCase().startsWith(value),
  'resource-type': (value) => (row) => row.exchange.initiator.toLowerCase() === value,
  scheme: (value) => (row) => urlOf(row)?.protocol === `${value}:`,
  'status-code': (value) => (row) => String(row.exchange.status) === value,
  url: (value) => (row) => row.exchange.url.toLowerCase().includes(value),
};

/** Names of the properties, for display. */
export const PROPERTY_NAMES: readonly string[] = Object.keys(PROPERTIES);

function urlOf({ exchange }: Row): URL | undefined {
  return URL.canParse(exchange.url) ? new URL(exchange.url) : undefined;
}

interface Word {
  readonly word: string;
  readonly isExcluded: boolean;
}

/** Words of a filter, which all have to match: text, `/pattern/`, `property:value`; each with `-` before it to exclude. */
function wordsOf(text: string): Word[] {
  return (text.trim().match(/-?\/(?:[^/\\]|\\.)+\/(?=\s|$)|\S+/g) ?? []).map((word) => {
    const isExcluded = word.length > 1 && word.startsWith('-');
    return { word: isExcluded ? word.slice(1) : word, isExcluded };
  });
}

/** The property of a word and its value; undefined for text, such as a URL. */
function propertyOf(word: string): { property: string; value: string } | undefined {
  const [, property, value] = /^([a-z-]+):(?!\/\/)(.+)$/.exec(word.toLowerCase()) ?? [];
  return property === undefined ? undefined : { property, value: value! };
}

function termOf({ word, isExcluded }: Word): Term {
  const term = searchFor(word);
  return isExcluded ? (row) => !term(row) : term;
}

function searchFor(word: string): Term {
  const { property = '', value = '' } = propertyOf(word) ?? {};
  if (Object.hasOwn(PROPERTIES, property)) return PROPERTIES[property]!(value);
  const pattern = /^\/(.+)\/$/.exec(word)?.[1];
  if (pattern !== undefined) {
    try {
      const expression = new RegExp(pattern, 'i');
      return (row) => searchedTexts(row).some((text) => expression.test(text.slice(0, MAX_MATCHED)));
    } catch {
      // Not a pattern yet, while it is typed.
    }
  }
  const needle = word.toLowerCase();
  return (row) => searchedTexts(row).some((text) => text.includes(needle));
}

/** Characters that patterns are matched with: a URL may be long, and a pattern slow. */
const MAX_MATCHED = 2_000;

/** Cache of the texts that the filter searches in each row. */
const searched = new WeakMap<Row, { texts: readonly string[]; operation: string | undefined }>();

/** The name of a row in the list, and its URL, in lower case. */
function searchedTexts(row: Row): readonly string[] {
  const { exchange, operation } = row;
  const known = searched.get(row);
  if (known && known.operation === operation) return known.texts;
  const texts = [operation ?? nameOf(exchange.url), exchange.url].map((text) => text.toLowerCase());
  searched.set(row, { texts, operation });
  return texts;
}
