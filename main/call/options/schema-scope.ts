import { needsSchema } from '../../../core/formats/accept.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import { FORMATS } from '../../../core/formats/registry.ts';
import type { NamedFormats } from '../named-formats.ts';
import type { Schemas } from '../schemas.ts';

/** Formats that can be read at a URL: those of the schemas, of which some are for other URLs, and those that need none. */
export function readableAt({ schemas, named }: { readonly schemas: Schemas; readonly named: NamedFormats | undefined }, url?: string): Set<FormatId> {
  const own = schemas.all.filter(({ scope }) => url === undefined || (scope?.urls?.test(url) ?? true));
  const all = [...own.map(({ format }) => format), ...FORMATS.filter((entry) => !needsSchema(entry)).map(({ id }) => id)];
  return new Set(named ? all.filter((id) => named[id]) : all);
}

/** The name of the schema for a response, by its media type or URL; `format` is its format if that is known. */
export function schemaFor({ all }: Schemas, type: string | null | undefined, url = '', format?: string): string | undefined {
  if (all.length === 0) return undefined;
  return all.find(({ format: own, scope }) => {
    const { mediaTypes, urls } = scope!;
    return (
      (own === (format ?? own) || (own === 'protojson' && /^(?:json|protobuf)$/.test(format!))) &&
      (mediaTypes?.includes(type?.split(';')[0] ?? '') || urls?.test(url))
    );
  })?.name;
}
