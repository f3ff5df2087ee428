import * as is from '../../../core/sinks/spans/tree.ts';
import type { Description, Place } from '../terms/description.ts';

const SIZES = ['8', '16', '32', '64', '128', 'n'];
const family = (name: string): string[] => SIZES.map((size) => name + size);

/** Type names in the order of the package's table. */
const NAMES = [
  'null',
  'undefined',
  ...family('uint'),
  ...family('int'),
  ...family('float'),
  'record',
  ...family('ref'),
  'utfz',
  ...family('string'),
  ...family('bin'),
  'true',
  'false',
  'date',
  'date64',
  ...['8', '16', '32'].map((size) => `constructor${size}`),
  ...['8', '16', '32', '64', '128'].map((size) => `array${size}`),
  'objectStart',
  'objectEnd',
  'setStart',
  'setEnd',
  'mapStart',
  'mapEnd',
];
const RECORD = 20;
const REF8 = 21;
const UTFZ = 27;
const BINN = 39;
const CONSTRUCTOR8 = 44;
const ARRAY8 = 47;
const ARRAY128 = 51;
const UINT8 = 2;
const FLOATN = 19;
/** Sizes of the length within a family; 0 for the last, whose length has its own size first. */
const LENGTHS = [1, 2, 4, 8, 16, 0];
/** Built-in constructors. */
const BUILTINS = ['RegExp', 'Date'];

/** Describes a block: a type byte, then a length or number, then its content (https://www.npmjs.com/package/sializer). */
export function describeSia({ tree, node, bytes, at, end }: Place): Description {
  if (at >= end) return { name: '', type: 0, length: 0 };
  const isRecorded = bytes[at] === RECORD;
  const from = isRecorded ? at + 1 : at;
  const prefix = isRecorded ? 'record: ' : '';
  const type = bytes[from] ?? 0;
  const name = NAMES[type];
  if (name === undefined) return { name: is.KIND_NAMES[tree.data.kinds[node]!]!, type: 0, length: 0 };
  const head = from - at + 1;
  const size = lengthSize(type);
  if (size < 0) return { name: prefix + name, family: name, type: head, length: type >= UINT8 && type <= FLOATN && name.endsWith('n') ? 1 : 0 };
  const start = size === 0 ? from + 2 : from + 1;
  const bytesOfLength = size === 0 ? (bytes[from + 1] ?? 0) : size;
  let length = 0;
  for (let i = bytesOfLength - 1; i >= 0; i -= 1) length = length * 256 + (bytes[start + i] ?? 0);
  const shown = type >= CONSTRUCTOR8 && type < ARRAY8 && BUILTINS[length] ? `${length}, ${BUILTINS[length]}` : String(length);
  return { name: `${prefix}${name} ${shown}`, family: name, type: head, length: start + bytesOfLength - from - 1 };
}

/** Size of the length after a type byte; 0 if the next byte holds that size, −1 without a length. */
function lengthSize(type: number): number {
  if (type >= REF8 && type < UTFZ) return LENGTHS[type - REF8]!;
  if (type === UTFZ) return 1;
  if (type > UTFZ && type <= BINN) return LENGTHS[(type - UTFZ - 1) % 6]!;
  if (type >= CONSTRUCTOR8 && type < ARRAY8) return LENGTHS[type - CONSTRUCTOR8]!;
  return type >= ARRAY8 && type <= ARRAY128 ? LENGTHS[type - ARRAY8]! : -1;
}
