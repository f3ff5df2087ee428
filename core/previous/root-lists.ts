import { arrived, type HeldBytes } from './compare.ts';
import { type ByteRange, UNKNOWN } from './grammars/grammar.ts';
import { type CompareSetting, type Held, holdItems } from './held.ts';
import { setMember, share } from './share.ts';
import { STEP_BYTES } from './tuning.ts';
import type { Comparison } from './walk.ts';

/** Most bytes of a root without the items of its lists: they are decoded in one step. */
const MAX_REST_LENGTH = 64 * 1024;

/** A list without items, which have no bytes. */
const EMPTY: Held = {
  value: [],
  isList: true,
  items: [],
  keys: [],
  starts: new Uint32Array(0),
  tail: 0,
  after: 0,
  isOuter: true,
  isPart: false,
  nested: new Map(),
};

/** A list at the root, and its position. */
interface PlacedList {
  readonly at: number;
  readonly held: Held;
}

/** Reads the list that begins at a position. */
type ReadList = (name: string, at: number) => Generator<undefined, Held>;

/** Finds the items of the lists of a value. */
export function* holdLists(setting: CompareSetting, payload: HeldBytes, value: object): Generator<undefined, Held> {
  const read: ReadList = (name, at) => holdItems(setting, payload, at, payload.bytes.length, (value as Record<string, unknown>)[name], 1, true);
  const { lists } = yield* readRoot(setting, payload, read);
  return rootOf(value, lists, payload);
}

/** The value of a payload whose root has lists, made from an earlier value: its other members are decoded and compared as values. */
export function* compareLists(comparison: Comparison, root: Held): Generator<undefined, Held> {
  const { setting, payload } = comparison;
  const { grammar } = setting;
  const { form } = setting;
  const read: ReadList = (name, at) => {
    const index = root.keys.indexOf(name);
    return comparison.readItems(root.nested.get(index) ?? EMPTY, root.starts[index] ?? 0, at, 1);
  };
  const { lists, rest } = yield* readRoot(setting, payload, read);
  let value: Record<string, unknown>;
  try {
    value = setting.decode(grammar.frame.write(payload.bytes, rest), 0) as Record<string, unknown>;
  } catch {
    // The decode as usual says what is wrong.
    throw UNKNOWN;
  }
  const earlier = root.value as Record<string, unknown>;
  const keys = Object.keys(value);
  const earlierKeys = Object.keys(earlier);
  let isSame = keys.length === earlierKeys.length;
  keys.forEach((key, index) => {
    const list = lists.get(key)?.held.value;
    const own = list ?? share(earlier[key], form ? form.convert(value[key]) : value[key], form);
    isSame &&= key === earlierKeys[index] && Object.is(own, earlier[key]);
    setMember(value, key, own);
  });
  return rootOf(isSame ? earlier : value, lists, payload);
}

/**
 * Reads the fields at the root. Returns its lists, and the ranges of the other fields and of the first item of each list, so that
 * their decoded value has all keys in their order.
 */
function* readRoot(
  { grammar, sizes }: CompareSetting,
  payload: HeldBytes,
  read: ReadList,
): Generator<undefined, { lists: Map<string, PlacedList>; rest: ByteRange[] }> {
  const lists = new Map<string, PlacedList>();
  const rest: ByteRange[] = [];
  let length = 0;
  let step = 0;
  let at = 0;
  for (;;) {
    if (payload.awaits) yield* arrived(payload, at + sizes.unit + sizes.ahead);
    const { bytes } = payload;
    if (at >= bytes.length) break;
    const name = grammar.rootList!(bytes, at);
    const skip = { at, open: 0 };
    grammar.skip(bytes, skip, bytes.length);
    rest.push({ from: at, to: skip.at });
    length += skip.at - at;
    if (length > MAX_REST_LENGTH) throw UNKNOWN;
    if (name === undefined) {
      at = skip.at;
    } else {
      // Items of one list that do not follow one another.
      if (lists.has(name)) throw UNKNOWN;
      const held = yield* read(name, at);
      lists.set(name, { at, held });
      at += held.after;
    }
    if (at - step < STEP_BYTES / 8) continue;
    step = at;
    yield;
  }
  if (at > payload.bytes.length) throw UNKNOWN;
  return { lists, rest };
}

function rootOf(value: object, lists: ReadonlyMap<string, PlacedList>, { bytes }: HeldBytes): Held {
  const placed = [...lists.values()];
  return {
    value,
    isList: false,
    items: placed.map(({ held }) => held.value),
    keys: [...lists.keys()],
    starts: Uint32Array.from(placed, ({ at }) => at),
    tail: bytes.length,
    after: bytes.length,
    isOuter: true,
    isPart: false,
    nested: new Map(placed.map(({ held }, index) => [index, held])),
  };
}
