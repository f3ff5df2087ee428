import * as is from '../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../core/sinks/spans/tree.ts';
import { exportScalar, stringify } from './value.ts';

/** Default maximum number of lines. */
export const MAX_LINES = 200_000;
const INDENT = '  ';

/** Opening and closing text of an exported container. */
function bracketsOf(tree: SpanTree, node: number): readonly [string, string] {
  switch (tree.data.kinds[node]) {
    case is.ARRAY:
      return ['[', ']'];
    case is.SET:
      return ['{ "$set": [', '] }'];
    case is.MAP:
      return ['{ "$map": [', '] }'];
    case is.TAGGED:
      return [`{ "$tag": ${JSON.stringify(String(tree.data.storedValues.get(node)))}, "value": [`, '] }'];
    default:
      return ['{', '}'];
  }
}

/** Indented JSON of a value, one element per line. Generates in slices, so the value may be large. */
export function* jsonLines(tree: SpanTree, root: number, limit = MAX_LINES): Generator<undefined, string[]> {
  const lines: string[] = [];
  const open: { end: number; close: string }[] = [];
  const last = tree.data.nexts[root]!;
  for (let node = root; node < last || open.length > 0;) {
    if ((lines.length & 0xff) === 0) yield;
    if (lines.length >= limit) return [...lines, '…'];
    const top = open.at(-1);
    if (top && node >= top.end) {
      open.pop();
      lines.push(`${INDENT.repeat(open.length)}${top.close}${commaAfter(top.end, open.at(-1)?.end)}`);
      continue;
    }
    const key = node !== root && tree.hasName(node) ? `${JSON.stringify(String(tree.key(node)))}: ` : '';
    const indent = INDENT.repeat(open.length);
    const end = tree.data.nexts[node]!;
    if (!tree.isContainer(node)) {
      lines.push(`${indent}${key}${stringify(exportScalar(tree, node))}${commaAfter(node + 1, top?.end)}`);
      node += 1;
    } else {
      const [begin, close] = bracketsOf(tree, node);
      if (end === node + 1) lines.push(`${indent}${key}${begin}${close}${commaAfter(end, top?.end)}`);
      else {
        lines.push(`${indent}${key}${begin}`);
        open.push({ end, close });
      }
      node += 1;
    }
  }
  return lines;
}

/** Comma between two values of a container. */
function commaAfter(next: number, end: number | undefined): string {
  return end !== undefined && next < end ? ',' : '';
}
