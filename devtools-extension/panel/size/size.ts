import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';
import type { Description } from '../../describe/terms/description.ts';
import { FIELD_TAG, ROLES } from '../../describe/terms/roles.ts';
import type { OpenBody } from '../body/open-body.ts';
import { visibleName } from '../../text/visible-text.ts';

/** Bytes of a group of entries. */
export interface SizeRow {
  name: string;
  count: number;
  /** Bytes of keys. */
  keys: number;
  /** Bytes of types and lengths. */
  headers: number;
  /** Bytes of the values themselves. */
  payload: number;
  /** Bytes of containers: commas, white space, terminators. */
  between: number;
  total: number;
}

export interface SizeReport {
  byPath: SizeRow[];
  byKey: SizeRow[];
  byType: SizeRow[];
}

/** A path in the value; all items of a list share one. */
interface Place extends SizeRow {
  inside: Map<string | number, Place>;
}

function newRow(name: string): SizeRow {
  return { name, count: 0, keys: 0, headers: 0, payload: 0, between: 0, total: 0 };
}

function newPlace(name: string): Place {
  return { ...newRow(name), inside: new Map() };
}

const ITEM = -1;
const MAX_PLACES = 20_000;

/** Measures where the bytes of a body go. Each byte counts once, so the totals add up to the body's length. */
export function* measure(body: OpenBody): Generator<undefined, SizeReport> {
  const tree = body.tree!;
  const { parents, keys, names, count } = tree.data;
  const places: Place[] = new Array<Place>(count);
  const root = newPlace('$');
  const byKey = new Map<number, SizeRow>();
  const byType = new Map<string, SizeRow>();
  const all = [root];
  const own = tree.data.extents ? scatteredBytes(body) : nestedBytes(body);

  for (let node = 1; node < count; node += 1) {
    if ((node & 0x3ff) === 0) yield;
    const parent = parents[node]!;
    let place = root;
    if (parent > 0) {
      const outer = places[parent]!;
      const isNamed = tree.hasName(node);
      const step = isNamed ? keys[node]! : ITEM;
      let found = outer.inside.get(step);
      if (!found) {
        found = all.length < MAX_PLACES ? newPlace(isNamed ? `${outer.name}.${visibleName(names[step]!)}` : `${outer.name}[]`) : outer;
        if (found !== outer) all.push(found);
        outer.inside.set(step, found);
      }
      place = found;
    }
    places[node] = place;
    const description = body.describe(node);
    const parts = own(node, description);
    add(place, parts);
    const typeName = description.family ?? description.name;
    add(row(byType, typeName, typeName), parts);
    if (tree.hasName(node)) add(row(byKey, keys[node]!, visibleName(names[keys[node]!]!)), parts);
  }

  const outside = outsideBytes(body, all);
  const extra = outside.total > 0 ? [outside] : [];
  const sorted = (rows: Iterable<SizeRow>): SizeRow[] => [...rows].sort((a, b) => b.total - a.total);
  const unnamed = remainder('list items and the root', body.bytes.length, byKey.values());
  return {
    byPath: [...sorted(all), ...extra],
    byKey: [...sorted(byKey.values()), ...(unnamed.total > 0 ? [unnamed] : [])],
    byType: [...sorted(byType.values()), ...extra],
  };
}

type Bytes = Omit<SizeRow, 'name' | 'count'>;

/** Bytes that belong to an entry and to none inside it, for formats whose entries nest. */
function nestedBytes(body: OpenBody): (node: number, description: Description) => Bytes {
  const tree = body.tree!;
  const { starts, values, ends, kinds, parents, count } = tree.data;
  const own = new Float64Array(count);
  for (let node = 0; node < count; node += 1) own[node] = ends[node]! - starts[node]!;
  for (let node = 1; node < count; node += 1) own[parents[node]!]! -= ends[node]! - starts[node]!;
  const moved = moveElsewhere(tree, own);
  return (node, { type, length }) => {
    const away = moved.get(node) ?? 0;
    const total = own[node]! - away;
    const key = values[node]! - starts[node]!;
    const headers = Math.min(type + length, Math.max(0, total - key));
    const rest = total - key - headers;
    const isContainer = kinds[node]! >= is.ARRAY;
    return { keys: key, headers, payload: isContainer ? 0 : rest + away, between: isContainer ? rest : 0, total: total + away };
  };
}

/** Counts text stored elsewhere for its string instead of its surroundings. Returns the moved bytes by string. */
function moveElsewhere(tree: SpanTree, own: Float64Array): Map<number, number> {
  const { starts, values } = tree.data;
  const moved = new Map<number, number>();
  // Bytes available to move: not the key, and not text moved here.
  const room = (node: number): number => own[node]! - (values[node]! - starts[node]!) - (moved.get(node) ?? 0);
  let last = 0;
  for (const [node, [from, end]] of [...tree.data.elsewhere].sort(([, [a]], [, [b]]) => a - b)) {
    const around = tree.containing(from);
    // In a damaged body, texts may overlap; the first one keeps the bytes.
    if (from < last || end <= from || around === node || room(around) < end - from) continue;
    last = end;
    own[around]! -= end - from;
    own[node]! += end - from;
    moved.set(node, end - from);
  }
  return moved;
}

/** Bytes that belong to an entry, for formats whose values lie anywhere. Offsets, vtables and lengths are headers. */
function scatteredBytes(body: OpenBody): (node: number) => Bytes {
  const tree = body.tree!;
  const { roles, starts } = tree.data.extents!;
  return (node) => {
    const bytes = { keys: 0, headers: 0, payload: 0, between: 0, total: 0 };
    for (const extent of tree.extentsOf(node)) {
      const size = tree.extentEnd(extent) - starts[extent]!;
      const part = ROLES[roles[extent]!]![1];
      bytes[part === 'payload' ? 'payload' : part === 'padding' ? 'between' : roles[extent] === FIELD_TAG ? 'keys' : 'headers'] += size;
      bytes.total += size;
    }
    return bytes;
  };
}

/** Bytes that belong to no value. */
function outsideBytes(body: OpenBody, places: Iterable<SizeRow>): SizeRow {
  const outside = newRow('outside the value');
  let rest = body.bytes.length;
  for (const { total } of places) rest -= total;
  outside.between = rest;
  outside.total = rest;
  outside.count = outside.total > 0 ? 1 : 0;
  return outside;
}

function row<Key>(rows: Map<Key, SizeRow>, key: Key, name: string): SizeRow {
  let found = rows.get(key);
  if (!found) rows.set(key, (found = newRow(name)));
  return found;
}

function add(to: SizeRow, from: Bytes): void {
  to.count += 1;
  to.keys += from.keys;
  to.headers += from.headers;
  to.payload += from.payload;
  to.between += from.between;
  to.total += from.total;
}

function remainder(name: string, length: number, rows: Iterable<SizeRow>): SizeRow {
  const rest = newRow(name);
  let sum = 0;
  for (const { total } of rows) sum += total;
  rest.total = rest.between = length - sum;
  return rest;
}
