import type { AnyFormat } from '../../core/format/format.ts';
import { FORMATS, NAMED_FORMS } from '../../core/formats/registry.ts';
import { DEFAULT_LIMITS } from '../../core/limits.ts';
import type { PluginOptions, ServiceWorkerOptions } from './options.ts';

/** Throws a TypeError for options, formats and limits of a decoder that do not exist. */
export function checkDecoder(options: ServiceWorkerOptions): void {
  checkNames(options, ['formats', 'formatOptions', 'encoders', 'encoderOptions', 'schemas', 'limits', 'reviveTag']);
  checkNames(
    options.formats,
    [...FORMATS, ...NAMED_FORMS].map(({ id }) => id),
  );
  checkNames(options.limits, Object.keys(DEFAULT_LIMITS));
}

/** The same for a route or a plugin. */
export function checkRoute({ formats }: ServiceWorkerOptions, route: PluginOptions): void {
  checkNames(route, [
    'respondWith',
    'requests',
    'format',
    'options',
    'schema',
    'bigints',
    'batches',
    'fallback',
    'bridge',
    'cache',
    'cacheAuthenticated',
    'cacheOpaque',
  ]);
  const known = route.format && (formats[route.format] as AnyFormat | undefined)?.options;
  if (known) checkNames(route.options, Object.keys(known));
}

function checkNames(given: object | undefined, known: readonly string[]): void {
  for (const name of Object.keys(given ?? {})) {
    if (!known.includes(name)) throw new TypeError(`unknown option ${name}; expected one of ${known.join(', ')}`);
  }
}
