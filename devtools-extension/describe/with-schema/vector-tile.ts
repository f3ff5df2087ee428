import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';

/** Message of a feature. */
export const TILE_FEATURE = 'vector_tile.Tile.Feature';

/** Maximum length of the text. */
const MAX_TEXT = 200;

/**
 * Properties of a feature of a vector tile, whose `tags` are pairs of indices into the keys and the values of its layer
 * (https://github.com/mapbox/vector-tile-spec/tree/master/2.1#44-feature-attributes). Empty if they are not in the tree as lists.
 */
export function propertiesOf(tree: SpanTree, tags: number): string {
  const { numbers, parents, kinds } = tree.data;
  const features = parents[parents[tags]!]!;
  const layer = parents[features]!;
  const lists = tree.children(layer);
  const listOf = (name: string): number | undefined => lists.find((child) => tree.key(child) === name && kinds[child] === is.ARRAY);
  const keys = listOf('keys');
  const values = listOf('values');
  const pairs = tree.children(tags, MAX_TEXT);
  if (keys === undefined || values === undefined || pairs.length < 2) return '';
  const itemOf = (list: number, index: number): number | undefined =>
    index < tree.childCount(list) ? tree.children(list, index + 1)[index] : undefined;
  const parts: string[] = [];
  let left = MAX_TEXT;
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const key = itemOf(keys, numbers[pairs[at]!]!);
    const value = itemOf(values, numbers[pairs[at + 1]!]!);
    if (key === undefined || value === undefined) return '';
    const part = `${tree.text(key, MAX_TEXT)}: ${valueOf(tree, value)}`;
    left -= part.length;
    parts.push(left > 0 ? part : '…');
    if (left <= 0) break;
  }
  return `{${parts.join(', ')}}`;
}

/** Text of a message with one value. */
function valueOf(tree: SpanTree, message: number): string {
  const { kinds, numbers, storedValues } = tree.data;
  const [value] = tree.children(message, 1);
  if (value === undefined) return 'null';
  if (kinds[value] === is.STRING) return JSON.stringify(tree.text(value, MAX_TEXT));
  if (kinds[value] === is.TRUE || kinds[value] === is.FALSE) return String(kinds[value] === is.TRUE);
  return String(kinds[value] === is.BIGINT ? storedValues.get(value) : numbers[value]);
}
