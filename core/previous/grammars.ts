import type { FormatId } from '../formats/registry.ts';
import { cborGrammar } from './cbor.ts';
import type { Grammar } from './grammar.ts';
import { jsonGrammar } from './json.ts';
import { messagepackGrammar } from './messagepack.ts';

/** The grammars of the formats whose payloads are compared. */
const GRAMMARS: Partial<Record<FormatId, Grammar>> = { json: jsonGrammar, messagepack: messagepackGrammar, cbor: cborGrammar };

/** Names of the formats with `previous`. */
export const COMPARED: readonly string[] = Object.keys(GRAMMARS);

/**
 * The grammar of a format; undefined with options by which equal bytes may be other values: shared structures and values, or a
 * sequence or a check of the whole payload.
 */
export function grammarOf(format: FormatId, options: object): Grammar | undefined {
  const { sequence, structures, packedValues, deterministic, valueExtensions, ranges } = options as Record<string, unknown>;
  const isPlain = !(sequence || structures || packedValues || deterministic || valueExtensions || ranges);
  return isPlain ? GRAMMARS[format] : undefined;
}
