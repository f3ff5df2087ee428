import { describe, expect, test } from 'vitest';
import protobuf from '../../../../core/formats/protobuf/index.ts';
import type { OpenBody } from '../../../../devtools-extension/panel/body/open-body.ts';
import { listsOfRecords } from '../../../../core/sinks/spans/records.ts';
import { isMisfit } from '../../../../devtools-extension/describe/with-schema/protobuf.ts';
import { toNotation } from '../../../../devtools-extension/reading/edit/notation.ts';
import { readSpans } from '../../../../devtools-extension/reading/spans/read-spans.ts';
import { decodeWhole } from '../../../../devtools-extension/reading/whole-values/whole-value.ts';
import { jsonLines } from '../../../../devtools-extension/values/json-lines.ts';
import { valueText } from '../../../../devtools-extension/values/value-text.ts';
import { exportValue } from '../../../../devtools-extension/values/value.ts';
import { caseCount } from '../../../setup/properties/case-count.ts';
import { Dice, randomMessage, randomProto } from '../../core/formats/protobuf/random.ts';
import { finish } from '../open.ts';
import { bodyOf, checkBody, entryAt, namesOf, partsOf, readWhole } from '../read.ts';

const PROTO = `syntax = "proto3";
package shop;
message Order { int64 id = 1; string name = 2; Status status = 3; }
enum Status { NEW = 0; SHIPPED = 2; }
message Orders {
  repeated Order orders = 1;
  map<string, Order> by_name = 2;
  map<int32, Status> statuses = 3;
  repeated sint32 deltas = 4;
  google.protobuf.Timestamp time = 5;
  google.protobuf.Duration took = 6;
  google.protobuf.Any extra = 7;
  Order best = 8;
  oneof choice { string text = 9; int32 number = 10; }
}
message Timestamp { int64 seconds = 1; }
`;
const IMPORTS = PROTO.replace(
  'package shop;',
  'package shop;\nimport "google/protobuf/timestamp.proto"; import "google/protobuf/duration.proto"; import "google/protobuf/any.proto";',
);

const schema = (await protobuf.compileSchema!({ proto: IMPORTS, message: 'shop.Orders' }))!;
const setting = { format: 'protobuf', schema } as const;

/** A field: its tag, and a length-delimited payload or a varint below 128. */
const field = (number: number, payload: readonly number[] | number): number[] =>
  typeof payload === 'number' ? [number << 3, payload] : [(number << 3) | 2, payload.length, ...payload];
const text = (value: string): number[] => [...new TextEncoder().encode(value)];
const order = (id: number, name: string): number[] => [...field(1, id), ...field(2, text(name))];
const open = (...fields: number[][]): Promise<OpenBody> => readWhole(Uint8Array.from(fields.flat()), setting);
const valueOf = ({ tree }: OpenBody): unknown => exportValue(tree!, tree!.root);
const textAt = (body: OpenBody, ...path: (string | number)[]): string => valueText(body.tree!, entryAt(body.tree!.data, body.bytes, path)).text;

describe('grouping of fields', () => {
  test('shows one value of a repeated field as a list of one, and several as one list', async () => {
    expect(valueOf(await open(field(1, order(1, 'a'))))).toEqual({ orders: [{ id: 1, name: 'a' }] });
    const three = await open(field(1, order(1, 'a')), field(1, order(2, 'b')), field(1, order(3, 'c')));
    expect(valueOf(three)).toEqual({ orders: [1, 2, 3].map((id) => ({ id, name: 'abc'[id - 1] })) });
    expect(listsOfRecords(three.tree!).map((list) => three.tree!.key(list))).toEqual(['orders']);
    expect(namesOf(three).slice(0, 4)).toEqual([': message', 'orders: repeated', 'orders.0: field 1, len', 'orders.0.id: field 1, varint']);
  });

  test('shows the entries of a map as an object, with the last value of each key, and defaults for missing parts', async () => {
    const entries = [field(2, [...field(1, text('x')), ...field(2, order(1, 'a'))]), field(2, field(1, text('y')))];
    expect(valueOf(await open(...entries))).toEqual({ by_name: { x: { id: 1, name: 'a' }, y: {} } });
    const again = await open(field(3, [...field(1, 5), ...field(2, 2)]), field(3, [...field(2, 1)]), field(3, [...field(2, 2), ...field(1, 5)]));
    expect(valueOf(again)).toEqual({ statuses: { 5: 2, 0: 1 } });
  });

  test('groups values that other fields separate, and still finds the bytes of each', async () => {
    const body = await open(field(1, order(1, 'a')), field(4, 2), field(1, order(2, 'b')), field(4, [4, 6]));
    expect(valueOf(body)).toEqual({
      orders: [
        { id: 1, name: 'a' },
        { id: 2, name: 'b' },
      ],
      deltas: [1, 2, 3],
    });
    const second = entryAt(body.tree!.data, body.bytes, ['orders', 1, 'name']);
    expect(body.tree!.nodeAt(body.bytes.indexOf(text('b')[0]!))).toBe(second);
    expect(partsOf(body, second)).toEqual(['key, tag 13..14', 'length 14..15', 'payload 15..16']);
  });

  test('keeps the last value of a field and the last member of a oneof, and merges messages', async () => {
    const body = await open(field(8, field(1, 1)), field(9, text('a')), field(9, text('b')), field(8, field(2, text('n'))));
    expect(valueOf(body)).toEqual({ best: { id: 1, name: 'n' }, text: 'b' });
    expect(valueOf(await open(field(9, text('a')), field(10, 7)))).toEqual({ number: 7 });
  });

  test('writes no key twice in the JSON text', async () => {
    const body = await open(field(1, order(1, 'a')), field(1, order(2, 'b')));
    const lines = finish(jsonLines(body.tree!, body.tree!.root));
    expect(JSON.parse(lines.join('\n'))).toEqual(valueOf(body));
    expect(lines.filter((line) => line.includes('"orders"'))).toHaveLength(1);
  });

  test('shows the names of enums, the dates of timestamps, durations, and the message in an Any', async () => {
    const any = [...field(1, text('type.googleapis.com/shop.Order')), ...field(2, order(9, 'z'))];
    const body = await open(field(1, field(3, 2)), field(5, [...field(1, 60), 0x10, 0x80, 0xad, 0xe2, 0x04]), field(6, field(1, 3)), field(7, any));
    expect(textAt(body, 'orders', 0, 'status')).toBe('SHIPPED (2)');
    expect(textAt(body, 'time')).toBe('1970-01-01T00:01:00.01Z {2 keys}');
    expect(textAt(body, 'took')).toBe('3s {1 key}');
    expect(valueOf(body)).toMatchObject({ extra: { type_url: 'type.googleapis.com/shop.Order', value: { id: 9, name: 'z' } } });
    expect(body.typeText(entryAt(body.tree!.data, body.bytes, ['extra', 'value', 'name']))).toBe('string name = 2');
  });

  test('groups repeated numbers without a schema', async () => {
    const bytes = Uint8Array.from([...field(1, order(1, 'a')), ...field(1, order(2, 'b')), ...field(2, 5)]);
    const body = await readWhole(bytes, { format: 'protobuf' });
    expect(valueOf(body)).toEqual({
      1: [
        { 1: 1, 2: 'a' },
        { 1: 2, 2: 'b' },
      ],
      2: 5,
    });
  });

  test('shows the same values as the library decodes, for random messages', async () => {
    for (let seed = 0; seed < caseCount(300); seed += 1) {
      const dice = new Dice(seed);
      const random = (await protobuf.compileSchema!({ proto: randomProto(dice, 'proto3'), message: 't.M0' }))!;
      const bytes = Uint8Array.from(randomMessage(dice, random, random.root, { orderly: seed % 2 === 0 }));
      const reading = await readSpans(bytes, { format: 'protobuf', schema: random });
      expect(reading.error).toBeUndefined();
      const body = bodyOf(bytes, { format: 'protobuf' }, reading);
      checkBody(body);
      const decoded = toNotation(await decodeWhole('protobuf', bytes, { names: 'proto' }, random), [], bytes.length);
      expect(differences(valueOf(body), decoded), `seed ${seed}`).toEqual([]);
    }
  });
});

/** Paths at which a tree's value differs from the decoded one, which also has the defaults of missing fields. */
function differences(shown: unknown, decoded: unknown, path = '$'): string[] {
  if (Array.isArray(shown) && Array.isArray(decoded) && shown.length === decoded.length)
    return shown.flatMap((item, index) => differences(item, decoded[index], `${path}[${index}]`));
  if (isObject(shown) && isObject(decoded)) {
    return [...new Set([...Object.keys(shown), ...Object.keys(decoded)])].flatMap((key) =>
      key in shown ? differences(shown[key], decoded[key], `${path}.${key}`) : isDefault(decoded[key]) ? [] : [`${path}.${key} is missing`],
    );
  }
  return JSON.stringify(shown) === JSON.stringify(decoded) ? [] : [`${path}: ${JSON.stringify(shown)} instead of ${JSON.stringify(decoded)}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isDefault(value: unknown): boolean {
  return (
    value === 0 ||
    value === '' ||
    value === false ||
    (typeof value === 'object' && value !== null && Object.values(value).every((item) => item === ''))
  );
}

describe('a value that does not have the declared type', () => {
  const marked = async (...fields: number[][]): Promise<string[]> => {
    const body = await open(...fields);
    const tree = body.tree!;
    return tree.children(1).map((node) => `${tree.key(node)}${isMisfit(tree, node) ? ' marked' : ''}: ${body.typeText(node)}`);
  };

  test('marks the field and shows it by its number: another wire type, text that is not UTF-8, a message that does not parse', async () => {
    expect(await marked(field(9, 5))).toEqual(['9 marked: not string text = 9']);
    expect(await marked(field(9, [0xff, 0xfe]))).toEqual(['9 marked: not string text = 9']);
    expect(await marked(field(8, text('hello')))).toEqual(['8 marked: not shop.Order best = 8']);
    expect(await marked(field(4, [0x80]))).toEqual(['4 marked: not repeated sint32 deltas = 4']);
  });

  test('leaves a field unmarked if the schema lacks it', async () => {
    expect(await marked(field(15, 5))).toEqual(['15: field 15, varint']);
  });

  test('reports a truncated body as truncated', async () => {
    const reading = await readSpans(Uint8Array.from(field(1, order(1, 'abc')).slice(0, -1)), setting);
    expect(reading.error).toMatchObject({ code: 'truncated' });
  });
});
