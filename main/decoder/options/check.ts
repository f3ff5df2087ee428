import { FORMATS } from '../../../core/formats/registry.ts';
import type { DecodeOptions, DecoderOptions } from './options.ts';

/** Throws for options of a decoder that a compiler would reject: for callers in plain JavaScript. */
export function checkDecoder({ workers, formatOptions, route }: DecoderOptions): void {
  if (workers !== undefined && !(Number.isInteger(workers) && workers > 0)) {
    throw new RangeError(`invalid option workers: ${workers}; expected an integer of at least 1`);
  }
  checkFormats('formatOptions', Object.keys(formatOptions ?? {}));
  check('route', route, ROUTES);
}

/** The same for the options of a call. */
export function checkCall({ as, route }: Pick<DecodeOptions, 'as' | 'route'>): void {
  check('as', as, FORMS);
  check('route', route, ROUTES);
}

/** The same for a list of formats. */
export function checkFormats(option: string, ids: readonly string[]): void {
  for (const id of ids)
    check(
      option,
      id,
      FORMATS.map((format) => format.id),
    );
}

const FORMS = ['objects', 'rows', 'columns'];
const ROUTES = ['auto', 'page', 'worker'];

function check(option: string, value: string | undefined, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return;
  throw new TypeError(`invalid option ${option}: ${String(value)}; expected one of ${known.join(', ')}`);
}
