import type { Random } from '../fuzz/mutate.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const TEXTS = ['', 'a', 'naïve', '日本', '\u{1F600}', 'x'.repeat(70), 'line\nline', '"\\', '12'];

const bits = (random: Random, count: number): number => Math.floor(random.below(2 ** 30) / 2 ** (30 - Math.min(count, 30)));
const signed = (random: Random, count: number): number => bits(random, count) - 2 ** (count - 1);
const wide = (random: Random): number => random.below(2 ** 26) * 2 ** 26 + random.below(2 ** 26);
/** Numbers that are exact as 32-bit floats and that all programs print equally. */
const float = (random: Random): number => random.below(2 ** 16) / 8 - 2 ** 12 || 0.5;
const text = (random: Random): string => random.pick(TEXTS);
const list = <Item>(random: Random, make: (random: Random) => Item): Item[] => Array.from({ length: random.below(4) }, () => make(random));
const boolean = (random: Random): boolean => random.below(2) === 0;

/** A random subset of the fields with random values. */
function some(random: Random, makers: Record<string, (random: Random) => Json | undefined>): { [key: string]: Json } {
  const object: { [key: string]: Json } = {};
  for (const [key, make] of Object.entries(makers)) {
    const value = random.below(3) === 0 ? make(random) : undefined;
    if (value !== undefined) object[key] = value;
  }
  return object;
}

/** A table `Everything` of `tests/fixtures/flatbuffers/everything.fbs`, as input for flatc. */
export function flatValue(random: Random, depth = 0): { [key: string]: Json } {
  const point = (dice: Random): Json => ({ x: float(dice), y: float(dice) });
  const leaf = (dice: Random): Json => ({ id: bits(dice, 30), label: text(dice) });
  const colour = (dice: Random): Json => dice.pick(['Red', 'Green', 'Blue']);
  const choices: [string, (dice: Random) => Json][] = [
    ['Leaf', leaf],
    ['P', point],
    ['words', text],
    ...(depth < 2 ? [['Everything', (dice: Random) => flatValue(dice, depth + 1)] as [string, (dice: Random) => Json]] : []),
  ];
  const value = some(random, {
    b: boolean,
    i8: (dice) => signed(dice, 8),
    u8: (dice) => bits(dice, 8),
    i16: (dice) => signed(dice, 16),
    u16: (dice) => bits(dice, 16),
    i32: (dice) => signed(dice, 30),
    u32: (dice) => bits(dice, 30),
    i64: (dice) => -wide(dice),
    u64: wide,
    f: float,
    d: float,
    b_default: boolean,
    i32_default: (dice) => signed(dice, 20),
    f_default: float,
    maybe_int: (dice) => signed(dice, 30),
    maybe_bool: boolean,
    maybe_sign: (dice) => dice.pick(['Minus', 'Zero', 'Plus']),
    sign: (dice) => dice.pick(['Minus', 'Zero', 'Plus']),
    colour,
    bits: (dice) => dice.pick(['Low', 'Next', 'Far', 'Low Far', 'Low Next Far']),
    big: (dice) => dice.pick(['Least', 'Nothing']),
    text,
    grid: (dice) => ({
      cells: Array.from({ length: 4 }, () => signed(dice, 16)),
      pairs: Array.from({ length: 2 }, () => ({ one: bits(dice, 8), two: bits(dice, 16) })),
      colours: Array.from({ length: 3 }, () => colour(dice)),
      at: point(dice),
      flag: boolean(dice),
    }),
    leaf,
    bools: (dice) => list(dice, boolean),
    bytes: (dice) => list(dice, (one) => bits(one, 8)),
    longs: (dice) => list(dice, (one) => -wide(one)),
    doubles: (dice) => list(dice, float),
    texts: (dice) => list(dice, text),
    leaves: (dice) => list(dice, leaf),
    points: (dice) => list(dice, point),
    colours: (dice) => list(dice, colour),
  });
  if (random.below(3) === 0) {
    const [type, make] = random.pick(choices);
    Object.assign(value, { choice_type: type, choice: make(random) });
  }
  if (random.below(4) === 0) {
    const chosen = list(random, (dice) => dice.pick(choices));
    Object.assign(value, { choices_type: chosen.map(([type]) => type), choices: chosen.map(([, make]) => make(random)) });
  }
  return value;
}

/** A struct `TestAllTypes` of `tests/fixtures/capnproto/test.capnp`, as input for `capnp convert`. */
export function capnpValue(random: Random, depth = 0): { [key: string]: Json } {
  const scalars: Record<string, (dice: Random) => Json> = {
    bool: boolean,
    int8: (dice) => signed(dice, 8),
    int16: (dice) => signed(dice, 16),
    int32: (dice) => signed(dice, 30),
    int64: (dice) => String(-wide(dice)),
    uInt8: (dice) => bits(dice, 8),
    uInt16: (dice) => bits(dice, 16),
    uInt32: (dice) => bits(dice, 30),
    uInt64: (dice) => String(wide(dice)),
    float32: float,
    float64: float,
    text,
    data: (dice) => list(dice, (one) => bits(one, 8)),
    enum: (dice) => dice.pick(['foo', 'bar', 'qux', 'garply']),
    ...(depth < 2 && { struct: (dice: Random) => capnpValue(dice, depth + 1) }),
  };
  const makers = Object.entries(scalars).flatMap(([name, make]): [string, (dice: Random) => Json][] => [
    [`${name}Field`, make],
    [`${name}List`, (dice) => list(dice, make)],
  ]);
  return some(random, Object.fromEntries(makers));
}
