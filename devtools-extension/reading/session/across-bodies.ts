import { SpanTree } from '../../../core/sinks/spans/tree.ts';
import { exportValue, stringify } from '../../values/value.ts';
import { contentText, valueText } from '../../values/value-text.ts';
import type { ExportedBody, Glance, ReadAnswer, BodyMatch, OpenTree } from '../protocol.ts';
import * as is from '../../../core/sinks/spans/tree.ts';
import { describe } from '../../describe/describe.ts';
import { search, type SearchQuery } from '../search/search.ts';

/** Maximum number of reported matches per body, and length of a string. */
const MAX_MATCHES = 20;
const MAX_TEXT = 120;
/** Length of the first values of a body, for the row of a wide list. */
const MAX_GLANCE = 400;

/** Searches a body that is not open. */
export function searchBody({ data, bytes, detection }: ReadAnswer, query: SearchQuery): { matches: BodyMatch[]; count: number } {
  if (!data) return { matches: [], count: 0 };
  const nodes = searchTree({ data, bytes, format: detection.format ?? '' }, query);
  const tree = new SpanTree(data, bytes);
  return { matches: nodes.slice(0, MAX_MATCHES).map((node) => matchOf(tree, node)), count: nodes.length };
}

/** Matching entries of a tree, in ascending order. */
export function searchTree({ data, bytes, format }: OpenTree, query: SearchQuery): number[] {
  const tree = new SpanTree(data, bytes);
  const work = search({ tree, bytes, describe: (node) => describe(format, tree, node) }, query);
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** Value at a path of a body; undefined if it does not exist. */
export function pickValue({ data, bytes }: ReadAnswer, path: readonly (string | number)[]): BodyMatch | undefined {
  if (!data) return undefined;
  const tree = new SpanTree(data, bytes);
  let node = tree.root;
  for (const step of path) {
    if (node === is.NONE || !tree.isContainer(node)) return undefined;
    node = tree.children(node).find((child) => tree.key(child) === step) ?? is.NONE;
  }
  return node === is.NONE ? undefined : matchOf(tree, node);
}

function matchOf(tree: SpanTree, node: number): BodyMatch {
  return { path: tree.path(node), text: textOf(tree, node) };
}

/** Text of a match: that of a string is plain. */
function textOf(tree: SpanTree, node: number): string {
  const kind = tree.data.kinds[node];
  if (kind === is.STRING || kind === is.TEXT) return tree.text(node, MAX_TEXT).slice(0, MAX_TEXT);
  return valueText(tree, node).text;
}

/** Value of a body as one line of JSON in UTF-8, or the reason why it is missing. */
export function exportBody({ data, bytes, detection, error }: ReadAnswer): ExportedBody {
  const format = detection.format ?? null;
  const reason = error?.reason ?? (data ? undefined : detection.reasons.join('; ') || 'unknown format');
  const tree = data && new SpanTree(data, bytes);
  if (!tree || tree.count < 2) return { format, reason: reason ?? 'The body is empty.', json: undefined };
  const json = stringify(exportValue(tree, tree.root, format === 'protobuf'));
  return { format, reason, json: new TextEncoder().encode(json) };
}

/** Format and first values of a body. */
export function glanceOf({ data, bytes, detection, error }: ReadAnswer): Glance {
  const { format } = detection;
  const tree = data && new SpanTree(data, bytes);
  if (!tree || tree.root === is.NONE || error) return { format, text: '' };
  const [first, ...others] = data.roots ?? [];
  if (first !== undefined && detection.wrappings.includes('SignalR messages')) return { format, text: callText(tree, first) };
  // The payload of a single frame says more than its length.
  const node = first !== undefined && others.length === 0 ? first : tree.root;
  const { text } = valueText(tree, node);
  return { format, text: tree.isContainer(node) ? contentText(tree, node, MAX_GLANCE) || text : text };
}

/**
 * The target and arguments of a SignalR message in MessagePack, or its item or result: `[type, headers, invocation, …]`, with the
 * target in the fourth place, or for a completion the kind of its result.
 */
function callText(tree: SpanTree, message: number): string {
  const [type, , , fourth, fifth] = tree.children(message, 5);
  const textOf = (node: number | undefined): string => (node === undefined ? '' : contentText(tree, node, MAX_GLANCE) || valueText(tree, node).text);
  const number = type === undefined ? 0 : tree.data.numbers[type];
  if (number === INVOCATION || number === STREAM_INVOCATION) return fourth === undefined ? '' : `${tree.text(fourth)}(${textOf(fifth)})`;
  return textOf(fifth ?? fourth);
}

const INVOCATION = 1;
const STREAM_INVOCATION = 4;
