import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';
import { sameBytes } from '../../adapter/bytes.ts';
import { pairItems } from './diff-lists.ts';
import { numberKey } from '../../values/number-text.ts';
import { isMapKey, shownKey, valueText } from '../../values/value-text.ts';

export type Change = 'added' | 'removed' | 'changed' | 'moved';

export interface Difference {
  change: Change;
  path: (string | number)[];
  /** Entries in the two trees; −1 if missing. */
  before: number;
  after: number;
}

const MAX = 5_000;

/** Differences between two values. Objects are compared by key, list items by identity. */
export function* diff(a: SpanTree, b: SpanTree): Generator<undefined, Difference[]> {
  const found: Difference[] = [];
  const work: [number, number, (string | number)[]][] = [[a.root, b.root, []]];
  let steps = 0;
  while (work.length > 0 && found.length < MAX) {
    if ((++steps & 0xff) === 0) yield;
    const [one, other, path] = work.pop()!;
    if (one === is.NONE || other === is.NONE) {
      if (one !== other)
        found.push({
          change: one === is.NONE ? 'added' : 'removed',
          path,
          before: one === is.NONE ? -1 : one,
          after: other === is.NONE ? -1 : other,
        });
      continue;
    }
    if (!a.isContainer(one) || !b.isContainer(other) || groupOf(a, one) !== groupOf(b, other)) {
      if (!sameScalar(a, one, b, other)) found.push({ change: 'changed', path, before: one, after: other });
      continue;
    }
    if (a.data.kinds[one] === is.ARRAY) {
      yield* compareLists(a, one, b, other, path, found, work);
      continue;
    }
    const left = childrenByKey(a, one);
    const right = childrenByKey(b, other);
    const next: typeof work = [];
    for (const [key, { node, step }] of left) {
      const match = right.get(key);
      if (match) next.push([node, match.node, [...path, step]]);
      else found.push({ change: 'removed', path: [...path, step], before: node, after: -1 });
    }
    for (const [key, { node, step }] of right) {
      if (!left.has(key)) found.push({ change: 'added', path: [...path, step], before: -1, after: node });
    }
    for (const pair of next.reverse()) work.push(pair);
  }
  return found;
}

/** Compares paired items. A path uses the index in the later list, unless the item was removed. */
function* compareLists(
  a: SpanTree,
  one: number,
  b: SpanTree,
  other: number,
  path: (string | number)[],
  found: Difference[],
  work: [number, number, (string | number)[]][],
): Generator<undefined> {
  const left = a.children(one);
  const right = b.children(other);
  const next: typeof work = [];
  for (const { before, after, isMoved } of yield* pairItems(a, left, b, right)) {
    const step = [...path, after < 0 ? before : after];
    if (after < 0) found.push({ change: 'removed', path: step, before: left[before]!, after: -1 });
    else if (before < 0) found.push({ change: 'added', path: step, before: -1, after: right[after]! });
    else {
      if (isMoved) found.push({ change: 'moved', path: step, before: left[before]!, after: right[after]! });
      next.push([left[before]!, right[after]!, step]);
    }
  }
  for (const pair of next.reverse()) work.push(pair);
}

/** Records and objects are comparable: the difference is one of encoding. */
function groupOf(tree: SpanTree, node: number): number {
  const kind = tree.data.kinds[node]!;
  return kind === is.RECORD ? is.OBJECT : kind;
}

function childrenByKey(tree: SpanTree, node: number): Map<string, { node: number; step: string | number }> {
  const { nexts } = tree.data;
  const children = new Map<string, { node: number; step: string | number }>();
  for (let at = node + 1; at < nexts[node]!; at = nexts[at]!) {
    if (isMapKey(tree, at)) continue;
    const step = shownKey(tree, at) ?? 0;
    let name = String(step);
    // Protocol Buffers fields may repeat.
    for (let n = 2; children.has(name); n += 1) name = `${step} ${n}`;
    children.set(name, { node: at, step });
  }
  return children;
}

function sameScalar(a: SpanTree, one: number, b: SpanTree, other: number): boolean {
  if (isNumber(a, one) && isNumber(b, other)) return numberKey(a, one) === numberKey(b, other);
  if (isText(a, one) && isText(b, other)) return a.text(one) === b.text(other);
  if (a.data.kinds[one] === is.BINARY && b.data.kinds[other] === is.BINARY) return sameBytes(a.binary(one), b.binary(other));
  return valueText(a, one).text === valueText(b, other).text && a.data.kinds[one] === b.data.kinds[other];
}

function isNumber(tree: SpanTree, node: number): boolean {
  const kind = tree.data.kinds[node];
  return kind === is.INTEGER || kind === is.FLOAT || kind === is.BIGINT;
}

function isText(tree: SpanTree, node: number): boolean {
  const kind = tree.data.kinds[node];
  return kind === is.STRING || kind === is.TEXT;
}
