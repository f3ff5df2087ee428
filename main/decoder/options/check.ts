import { FORMATS } from '../../../core/formats/registry.ts';
import { DEFAULT_LIMITS } from '../../../core/limits.ts';
import type { DecodeOptions, DecoderOptions } from './options.ts';

/** Throws for options of a decoder that a compiler would reject: for callers in plain JavaScript. */
export function checkDecoder(options: DecoderOptions): void {
  const { workers, formatOptions, route, limits } = options;
  checkNames(options, DECODER);
  if (workers !== undefined && !(Number.isInteger(workers) && workers > 0)) {
    throw new RangeError(`invalid option workers: ${workers}; expected an integer of at least 1`);
  }
  checkFormats('formatOptions', Object.keys(formatOptions ?? {}));
  checkCall({ route, limits });
}

/** The same for the options of a call. */
export function checkCall(options: Pick<DecodeOptions, 'as' | 'route' | 'limits'>): void {
  checkNames(options, CALL);
  for (const name in options.limits) check('unknown limit', name, Object.keys(DEFAULT_LIMITS));
  check('invalid option as:', options.as, FORMS);
  check('invalid option route:', options.route, ROUTES);
}

function checkNames(options: object, known: readonly string[]): void {
  for (const name in options) check('unknown option', name, known);
}

/** The same for a list of formats. */
export function checkFormats(option: string, ids: readonly string[]): void {
  for (const id of ids)
    check(
      `invalid option ${option}:`,
      id,
      FORMATS.map((format) => format.id),
    );
}

/** Names of the options of a decoder. */
const DECODER = [
  'workers',
  'createWorker',
  'kernel',
  'queueLimit',
  'idleTimeout',
  'timeout',
  'route',
  'syncBelow',
  'limits',
  'formatOptions',
  'schemas',
  'reviveTag',
  'measure',
  'keepBodies',
];
/** Names of the options of a call. */
const CALL = [
  'format',
  'options',
  'schema',
  'as',
  'route',
  'transfer',
  'signal',
  'timeout',
  'limits',
  'reviveTag',
  'label',
  'onProgress',
  'compression',
  'stallTimeout',
  'path',
  'batchSize',
  'buildMs',
  'previous',
  'key',
];
const FORMS = ['objects', 'rows', 'columns'];
const ROUTES = ['auto', 'page', 'worker'];

function check(problem: string, value: string | undefined, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return;
  throw new TypeError(`${problem} ${String(value)}; expected one of ${known.join(', ')}`);
}
