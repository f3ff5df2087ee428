import * as is from '../../../core/sinks/spans/tree.ts';
import type { Description, Place } from '../terms/description.ts';

/** Describes a value with the names of the grammar's rules (RFC 8259). */
export function describeJson({ tree, node, bytes, at, end }: Place): Description {
  const kind = tree.data.kinds[node]!;
  switch (kind) {
    case is.TRUE:
    case is.FALSE:
      return { name: String(kind === is.TRUE), type: 0, length: 0 };
    case is.STRING:
      return { name: `string ${end - at - 2}`, family: 'string', type: 1, length: 0 };
    case is.TEXT:
      return { name: `string ${end - at - 2}, escaped`, family: 'string, escaped', type: 1, length: 0 };
    case is.BINARY:
      // A part of a framed body that is no JSON.
      return { name: 'bytes', type: 0, length: 0 };
    case is.INTEGER:
    case is.FLOAT:
    case is.BIGINT:
      return { name: kind === is.FLOAT && hasFraction(bytes, at, end) ? 'number, frac' : 'number, int', type: 0, length: 0 };
    default:
      return { name: is.KIND_NAMES[kind]!, type: tree.isContainer(node) ? 1 : 0, length: 0 };
  }
}

/** True for a number with a fraction or an exponent. Large integers are doubles too. */
function hasFraction(bytes: Uint8Array, at: number, end: number): boolean {
  for (let place = at; place < end; place += 1) if (bytes[place] === 0x2e || bytes[place]! > 0x39) return true;
  return false;
}
