import type { Dice } from '../protobuf/random.ts';

const SCALARS = ['Void', 'Bool', 'Int8', 'Int16', 'Int32', 'Int64', 'UInt8', 'UInt16', 'UInt32', 'UInt64', 'Float32', 'Float64'];

/** A member of a struct as it is written; `ordinal` is undefined for groups and unions without a number. */
interface Member {
  text: (ordinal: string) => string;
  isNumbered: boolean;
  inner: Member[];
  /** A union with a number and several members below it is an error. */
  tail: string;
}

/** The text of a random schema, whose structs are named `S0`, `S1`…, in a file with the id of `seed`. */
export function randomText(dice: Dice, seed: number): string {
  const structs = 1 + dice.below(4);
  const wholeRange = (bits: number, signed: boolean): string => {
    const raw = (BigInt(Math.floor(dice.next() * 2 ** 32)) << 32n) | BigInt(Math.floor(dice.next() * 2 ** 32));
    const value = signed ? BigInt.asIntN(bits, raw) : BigInt.asUintN(bits, raw);
    if (dice.chance(0.3)) return `${value < 0n ? '-' : ''}0x${(value < 0n ? -value : value).toString(16)}`;
    return String(value);
  };
  const type = (depth = 0): string => {
    const kind = dice.below(14);
    if (kind < 6) return dice.pick(SCALARS);
    if (kind === 6) return dice.pick(['E', ' .E', 'Alias.F']);
    if (kind === 7) return 'Text';
    if (kind === 8) return 'Data';
    if (kind === 9) return `S${dice.below(structs)}`;
    if (kind === 10 && depth < 3) return `List(${type(depth + 1)})`.replace(/^List\(AnyPointer\)$/, 'List(Text)');
    if (kind === 11) return dice.pick(['AnyPointer', 'I', 'Capability', 'AnyList']);
    if (kind === 12) return `Box(${pointer(depth + 1)})${dice.pick(['', '', '.Inner', `.Pair(${pointer(depth + 1)})`])}`;
    return dice.pick(['Box', 'Box.Inner', 'Texts', 'Bool']);
  };
  const pointer = (depth: number): string => {
    for (;;) {
      const found = type(depth);
      if (/^(?:Text|Data|S\d|List|Box|I$|Texts|AnyPointer)/.test(found)) return found;
      if (depth > 2) return 'Text';
    }
  };
  const value = (of: string, depth = 0): string | undefined => {
    const [, bits] = /^U?Int(\d+)$/.exec(of) ?? [];
    if (bits !== undefined) return dice.chance(0.1) ? '.small' : wholeRange(Number(bits), of.startsWith('I'));
    if (of.startsWith('Float')) return dice.pick(['0', '1.5', '-2.25e3', 'inf', '-inf', 'nan', '17', '-4', '0.1', '.half']);
    if (of === 'Void') return 'void';
    if (of === 'Bool') return dice.pick(['true', 'false', '.yes']);
    if (of === 'E' || of === ' .E') return dice.pick(['zero', 'two', 'one']);
    if (of === 'Text') return dice.pick(['""', '"Grüße"', String.raw`"a\n\x41\101\"" " b"`, '.Words.first']);
    if (of === 'Data') return dice.pick(['0x"00 ff 1a"', '"plain"', '""']);
    if (of === 'Texts') return dice.pick(['(value = "x")', '()', '(inner = (value = "y"), number = 4)']);
    if (/^S\d$/.test(of) && depth < 2) return '()';
    const [, item] = /^List\((.*)\)$/.exec(of) ?? [];
    if (item === undefined || depth > 2) return undefined;
    const items = Array.from({ length: dice.below(10) }, () => value(item, depth + 1));
    return items.includes(undefined) ? undefined : `[${items.join(', ')}]`;
  };
  let names = 0;
  const member = (depth: number, inUnion: boolean): Member => {
    const name = `f${names++}`;
    if (depth < 4 && dice.chance(0.25)) {
      const isUnion = dice.chance(0.6);
      const isNumbered = isUnion && dice.chance(0.05);
      const inner = Array.from({ length: (isUnion ? 2 : 1) + dice.below(4) }, () => member(depth + 1, isUnion));
      return { text: (ordinal) => `${name} ${isNumbered ? `@${ordinal}! ` : ''}:${isUnion ? 'union' : 'group'} {`, isNumbered, inner, tail: '}' };
    }
    const of = type();
    const given = dice.chance(0.35) ? value(of) : undefined;
    const annotation = dice.pick(['', '', ` $note("${inUnion ? 'member' : 'field'}")`, ' $note("a") $note("b")']);
    const text = (ordinal: string): string => `${name} @${ordinal} :${of}${given === undefined ? '' : ` = ${given}`}${annotation};`;
    return { text, isNumbered: true, inner: [], tail: '' };
  };
  const struct = (name: string): string => {
    const members = Array.from({ length: dice.below(12) }, () => member(0, false));
    if (dice.chance(0.4)) {
      const inner = Array.from({ length: 2 + dice.below(4) }, () => member(1, true));
      members.splice(dice.below(members.length + 1), 0, { text: () => 'union {', isNumbered: false, inner, tail: '}' });
    }
    const all: Member[] = [];
    const collect = (list: Member[]): void => {
      for (const each of list) {
        all.push(each);
        collect(each.inner);
      }
    };
    collect(members);
    const numbered = all.filter(({ isNumbered }) => isNumbered);
    const order = dice.chance(0.5) ? numbered : shuffled(numbered, dice);
    const write = (list: Member[], indent: string): string =>
      list
        .map((each) => {
          const comment = dice.chance(0.1) ? `${indent}# "not a text" {\n` : '';
          const head = `${comment}${indent}${each.text(String(order.indexOf(each)))}`;
          return each.tail === '' ? head : `${head}\n${write(each.inner, `${indent}  `)}\n${indent}}`;
        })
        .join('\n');
    return `struct ${name} {\n${write(members, '  ')}\n}\n`;
  };
  const fixed = `
    @0x${(0x8000_0000_0000_0000n + BigInt(seed)).toString(16)};
    annotation note(*) :Text;
    $note("a ; in { a text");
    enum E @0x${(0x9000_0000_0000_0000n + BigInt(seed)).toString(16)} $note("e") { two @2; zero @0; one @1 $note("v"); }
    interface I extends(J) { call @0 [T] (a :T, b :Text = "x") -> (c :Inner); struct Inner { a @0 :Int8; } }
    interface J { none @0 () -> I.Inner; }
    struct Box(T) {
      value @0 :T;
      inner @1 :Inner;
      number @2 :UInt16 = 5;
      struct Inner { value @0 :T; others @1 :List(Box(T)); }
      struct Pair(U) { first @0 :T; second @1 :U; both @2 :Box(List(Same)); nested @3 :Inner; }
      using Same = Box(T);
    }
    using Texts = Box(Text);
    struct Alias { enum F { a @0; } }
    const small :UInt8 = 100;
    const half :Float32 = 0.5;
    const yes :Bool = true;
    struct Words { const first :Text = "constant"; }
  `;
  return fixed + Array.from({ length: structs }, (_, index) => struct(`S${index}`)).join('');
}

function shuffled<Item>(items: readonly Item[], dice: Dice): Item[] {
  const left = [...items];
  return items.map(() => left.splice(dice.below(left.length), 1)[0]!);
}
