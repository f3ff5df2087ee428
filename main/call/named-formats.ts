import type { AnyFormat } from '../../core/format/format.ts';
import type { FormatId } from '../../core/format/format-id.ts';

/** The code of a format: the default export of its module, or a function that imports the module. */
export type FormatSource = AnyFormat | (() => Promise<{ readonly default: AnyFormat }>);

/** The code of some formats, by their ids. */
export type NamedFormats = { readonly [Id in FormatId]?: FormatSource | undefined };
