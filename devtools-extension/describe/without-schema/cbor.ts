import * as is from '../../../core/sinks/spans/tree.ts';
import type { Description, Place } from '../terms/description.ts';

const MAJOR = ['unsigned', 'negative', 'byte string', 'text string', 'array', 'map', 'tag', 'simple'] as const;

/** Names of tags (https://www.iana.org/assignments/cbor-tags). */
const TAGS: Readonly<Record<number, string>> = {
  0: 'date/time string',
  1: 'epoch time',
  6: 'packed reference',
  2: 'bignum',
  3: 'negative bignum',
  4: 'decimal fraction',
  5: 'bigfloat',
  14: 'bundled string',
  15: 'bundled string',
  24: 'embedded CBOR',
  27: 'generic object',
  28: 'shared value',
  29: 'reference',
  32: 'URI',
  51: 'packed',
  258: 'set',
  259: 'map',
  21066: 'regular expression',
  55799: 'self-described',
  0xdff9: 'bundle',
  0xdfff: 'record definition',
  105: 'record definition',
};

/** Describes a data item by its major type and additional information (RFC 8949 section 3). */
export function describeCbor({ tree, node, bytes, at, end }: Place): Description {
  let place = at;
  const tags: string[] = [];
  for (;;) {
    if (place >= end) return { name: tags.join(', '), type: place - at, length: 0 };
    const token = bytes[place]!;
    const information = token & 31;
    const size = information >= 24 && information <= 27 ? 1 << (information - 24) : 0;
    let argument = information;
    if (size > 0) {
      argument = 0;
      for (let i = 1; i <= size; i += 1) argument = argument * 256 + (bytes[place + i] ?? 0);
    }
    const major = token >> 5;
    if (major === 6) {
      const isRecord = argument >= 0xe000 && argument <= 0xffff;
      tags.push(`tag ${argument}${TAGS[argument] ? ` ${TAGS[argument]}` : isRecord ? ' record' : ''}`);
      place += 1 + size;
      continue;
    }
    const prefix = tags.length > 0 ? `${tags.join(', ')}: ` : '';
    if (major === 7) {
      // A packed reference uses the encoding of a simple value.
      const isReference = token < 0xf0 && at === tree.data.values[node] && tree.data.kinds[node]! > is.TRUE;
      const name = isReference ? `packed reference ${argument}` : simple(token, argument);
      return { name: prefix + name, family: prefix + (isReference ? 'packed reference' : name), type: place - at + 1, length: 0 };
    }
    if (tags.some((tag) => tag.endsWith('record definition')) && tree.data.kinds[node] === is.RECORD) {
      return {
        name: `${prefix}${MAJOR[major]} ${argument}`,
        family: 'record definition',
        type: Math.max(place - at, tree.payload(node) - at),
        length: 0,
      };
    }
    const isLength = major >= 2;
    const amount = information === 31 ? 'indefinite' : isLength ? String(argument) : size > 0 ? `uint${size * 8}` : '';
    const family = `${prefix}${MAJOR[major]}${isLength ? '' : ` ${amount}`}`.trimEnd();
    return {
      name: `${prefix}${MAJOR[major]} ${amount}`.trimEnd(),
      family,
      type: place - at + (isLength || size > 0 ? 1 : 0),
      length: isLength ? size : 0,
    };
  }
}

function simple(token: number, argument: number): string {
  switch (token) {
    case 0xf4:
      return 'false';
    case 0xf5:
      return 'true';
    case 0xf6:
      return 'null';
    case 0xf7:
      return 'undefined';
    case 0xf9:
      return 'float16';
    case 0xfa:
      return 'float32';
    case 0xfb:
      return 'float64';
    default:
      return `simple ${argument}`;
  }
}
