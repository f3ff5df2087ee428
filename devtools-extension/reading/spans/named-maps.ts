import * as is from '../../../core/sinks/spans/tree.ts';
import { type SpanData, SpanTree } from '../../../core/sinks/spans/tree.ts';
import { Columns } from './columns.ts';

/**
 * Turns maps whose keys are all strings or numbers into objects, as the reader does where no map of the body has other
 * keys. The keys become names of the values after them.
 */
export function nameMaps(data: SpanData, bytes: Uint8Array): SpanData {
  const tree = new SpanTree(data, bytes);
  const out = new Columns(data.count);
  const names = [...data.names];
  const indices = new Map(names.map((name, index) => [name, index]));
  const nameIndex = (name: string): number => {
    const known = indices.get(name) ?? names.push(name) - 1;
    indices.set(name, known);
    return known;
  };
  const moved = new Uint32Array(data.count);
  const named = new Set<number>();
  out.numbers[0] = data.numbers[0]!;
  out.ends[0] = data.ends[0]!;
  out.keys[0] = is.NONE;
  for (let node = 1; node < data.count; node += 1) {
    const parent = data.parents[node]!;
    const isInNamed = named.has(parent);
    // A key is left out; its value begins where the key does.
    if (isInNamed && data.keys[node]! % 2 === 0) continue;
    const made = out.copy(data, node, moved[parent]!, data.keys[node]!);
    moved[node] = made;
    if (isInNamed) {
      out.starts[made] = data.starts[node - 1]!;
      out.keys[made] = nameIndex(nameOf(tree, node - 1)!);
    }
    if (data.kinds[node] === is.MAP && tree.children(node).every((child, index) => index % 2 === 1 || nameOf(tree, child) !== undefined)) {
      named.add(node);
      out.kinds[made] = is.OBJECT;
      // The last key of a body that is cut off has no value.
      out.numbers[made] = Math.floor(out.numbers[made]! / 2);
    }
  }
  out.nexts[0] = out.count;
  for (let node = out.count - 1; node > 0; node -= 1) out.nexts[out.parents[node]!] = Math.max(out.nexts[out.parents[node]!]!, out.nexts[node]!);
  for (let node = 1; node < data.count; node += 1) if (data.kinds[node] === is.REFERENCE) out.numbers[moved[node]!] = moved[data.numbers[node]!]!;
  const kept = <T>(values: ReadonlyMap<number, T>): Map<number, T> =>
    new Map([...values].filter(([node]) => moved[node]! > 0).map(([node, value]) => [moved[node]!, value]));
  return { ...data, ...out.columns(), names, storedValues: kept(data.storedValues), elsewhere: kept(data.elsewhere) };
}

/** Name that a key gives to its value; undefined for keys of other kinds. */
function nameOf(tree: SpanTree, node: number): string | undefined {
  const { kinds, numbers, storedValues } = tree.data;
  switch (kinds[node]) {
    case is.STRING:
    case is.TEXT:
      return tree.text(node);
    case is.INTEGER:
    case is.FLOAT:
      return String(numbers[node]);
    case is.BIGINT:
      return String(storedValues.get(node));
    default:
      return undefined;
  }
}
