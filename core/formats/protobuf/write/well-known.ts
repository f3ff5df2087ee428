import { isDate } from '../../../values/class-of.ts';
import { bytesOf, itemsOf } from '../../../writing/binary-values.ts';
import { EncodeError } from '../../../errors.ts';
import { kindOf } from '../../../writing/writer.ts';
import { DURATION, FIELD_MASK, TIMESTAMP } from '../schema/names.ts';
import type { MessageNode } from './plan.ts';

const DURATION_TEXT = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/;

/** Converts a value to the message of its well-known type (https://protobuf.dev/reference/protobuf/google.protobuf). */
export function wellKnownMessage(node: MessageNode, value: unknown): Record<string, unknown> {
  const [first, second] = node.fields.map(({ key }) => key) as [string, string];
  switch (node.kind) {
    case TIMESTAMP: {
      const [seconds, nanos] = timestampOf(value);
      return { [first]: seconds, [second]: nanos };
    }
    case DURATION: {
      const [seconds, nanos] = durationOf(value);
      return { [first]: seconds, [second]: nanos };
    }
    case FIELD_MASK:
      if (typeof value !== 'string') throw new EncodeError('type', `${kindOf(value)} where the text of a FieldMask is expected`);
      return { [first]: value === '' ? [] : value.split(',') };
    default:
      return node.name === 'google.protobuf.Value' ? { [node.fields[kindOfValue(value)]!.key]: value } : { [first]: value };
  }
}

/** Index of the Value field for a value: null, number, string, boolean, object or list. */
function kindOfValue(value: unknown): number {
  switch (typeof value) {
    case 'number':
      if (!Number.isFinite(value)) throw new EncodeError('range', `${value} is out of range (google.protobuf.Value)`);
      return 1;
    case 'string':
      return 2;
    case 'boolean':
      return 3;
    case 'object':
      if (value === null) return 0;
      if (isDate(value) || bytesOf(value) !== undefined) break;
      return itemsOf(value) === undefined ? 4 : 5;
    default:
  }
  throw new EncodeError('type', `${kindOf(value)} where a google.protobuf.Value is expected`);
}

/** Whole seconds, and nanoseconds that are not negative. */
function timestampOf(value: unknown): [seconds: number, nanos: number] {
  if (!isDate(value)) throw new EncodeError('type', `${kindOf(value)} where a Date is expected`);
  const milliseconds = value.getTime();
  if (Number.isNaN(milliseconds)) throw new EncodeError('range', 'an invalid Date');
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, (milliseconds - seconds * 1000) * 1e6];
}

/** Seconds and nanoseconds of the same sign. */
function durationOf(value: unknown): [seconds: number, nanos: number] {
  const parts = typeof value === 'string' ? DURATION_TEXT.exec(value) : null;
  if (parts === null) throw new EncodeError('type', 'a Duration is text such as 1.5s');
  const sign = parts[1] === '-' ? -1 : 1;
  // Adding 0 avoids −0, which integers lack.
  return [sign * Number(parts[2]) + 0, sign * Number((parts[3] ?? '').padEnd(9, '0')) + 0];
}
