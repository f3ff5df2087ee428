/** A growing list of bytes. */
class Output {
  bytes = new Uint8Array(1024);
  length = 0;

  byte(value: number): void {
    this.room(1);
    this.bytes[this.length++] = value;
  }

  all(bytes: Uint8Array): void {
    this.room(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  varint(value: number | bigint): void {
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest > 0x7fn) {
      this.byte(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.byte(Number(rest));
  }

  room(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }
}

/** What a field was seen to hold. */
type Kind = 'none' | 'bool' | 'int' | 'double' | 'string' | 'bytes' | 'message';

interface Field {
  number: number;
  name: string;
  key: string;
  kind: Kind;
  repeated: boolean;
  message: Message | undefined;
}

interface Message {
  name: string;
  fields: Map<string, Field>;
}

const TYPES: Readonly<Record<Exclude<Kind, 'message'>, string>> = {
  none: 'bool', bool: 'bool', int: 'sint64', double: 'double', string: 'string', bytes: 'bytes',
};

/**
 * A value in the Protocol Buffers encoding, with a schema made up for it: a message for the objects at each place, a
 * field for each key. Throws where no schema can be made: lists in lists, and fields that hold different kinds.
 */
export function encodeInferred(value: unknown): { bytes: Uint8Array; proto: string } {
  const messages: Message[] = [];
  const newMessage = (name: string): Message => {
    const message = { name, fields: new Map<string, Field>() };
    messages.push(message);
    return message;
  };
  const root = newMessage('Root');
  const top = isRecord(value) ? value : { value };

  const learn = (message: Message, object: Record<string, unknown>, depth: number): void => {
    if (depth > 100) throw new Error('nested too deep for a schema');
    for (const [key, item] of Object.entries(object)) {
      if (item === null || item === undefined) continue;
      let field = message.fields.get(key);
      if (!field) {
        const number = message.fields.size + 1;
        if (number > 2_000) throw new Error('the keys are data: a schema would have thousands of fields');
        field = { number, name: `f${number}`, key, kind: 'none', repeated: false, message: undefined };
        message.fields.set(key, field);
      }
      if (Array.isArray(item)) field.repeated = true;
      for (const one of Array.isArray(item) ? (item as unknown[]) : [item]) {
        if (Array.isArray(one)) throw new Error(`a list in a list, at ${key}`);
        if (one === null || one === undefined) continue;
        field.kind = join(field.kind, kindOf(one), key);
        if (field.kind === 'message') {
          field.message ??= newMessage(`M${messages.length}`);
          learn(field.message, one as Record<string, unknown>, depth + 1);
        }
      }
    }
  };
  learn(root, top, 0);
  return { bytes: encode(root, top), proto: schemaText(messages) };
}

function join(before: Kind, now: Kind, key: string): Kind {
  if (before === 'none' || before === now) return now;
  if ((before === 'int' && now === 'double') || (before === 'double' && now === 'int')) return 'double';
  throw new Error(`${key} holds ${before} and ${now}`);
}

function kindOf(value: unknown): Kind {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0) ? 'int' : 'double';
  if (typeof value === 'string') return 'string';
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) return 'bytes';
  if (value instanceof Date) return 'int';
  if (isRecord(value)) return 'message';
  throw new Error(`no field can hold a ${(value as object).constructor?.name ?? typeof value}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
}

function schemaText(messages: readonly Message[]): string {
  const lines = messages.map(({ name, fields }) => {
    const body = [...fields.values()].map((field) => {
      const type = field.kind === 'message' ? field.message!.name : TYPES[field.kind];
      return `  ${field.repeated ? 'repeated' : 'optional'} ${type} ${field.name} = ${field.number};`;
    });
    return `message ${name} {\n${body.join('\n')}\n}`;
  });
  return `syntax = "proto3";\n${lines.join('\n')}`;
}

const encoder = new TextEncoder();

function encode(message: Message, object: Record<string, unknown>): Uint8Array {
  const output = new Output();
  for (const [key, field] of message.fields) {
    const item = Object.hasOwn(object, key) ? object[key] : undefined;
    if (item === null || item === undefined) continue;
    const items = Array.isArray(item) ? (item as unknown[]).filter((one) => one !== null && one !== undefined) : [item];
    const isPacked = field.repeated && ['bool', 'int', 'double'].includes(field.kind);
    if (isPacked) {
      const packed = new Output();
      for (const one of items) scalar(packed, field.kind, one);
      if (packed.length === 0) continue;
      output.varint(field.number * 8 + 2);
      output.varint(packed.length);
      output.all(packed.bytes.subarray(0, packed.length));
      continue;
    }
    for (const one of items) {
      const wire = field.kind === 'double' ? 1 : field.kind === 'bool' || field.kind === 'int' || field.kind === 'none' ? 0 : 2;
      output.varint(field.number * 8 + wire);
      if (wire !== 2) scalar(output, field.kind, one);
      else {
        const bytes =
          field.kind === 'message'
            ? encode(field.message!, one as Record<string, unknown>)
            : field.kind === 'string'
              ? encoder.encode(one as string)
              : new Uint8Array(one as ArrayBuffer);
        output.varint(bytes.length);
        output.all(bytes);
      }
    }
  }
  return output.bytes.slice(0, output.length);
}

function scalar(output: Output, kind: Kind, value: unknown): void {
  if (kind === 'double') {
    output.room(8);
    new DataView(output.bytes.buffer).setFloat64(output.length, Number(value), true);
    output.length += 8;
  } else if (kind === 'bool') {
    output.byte(value ? 1 : 0);
  } else {
    const whole = BigInt(value instanceof Date ? value.getTime() : (value as number | bigint));
    output.varint((whole << 1n) ^ (whole >> 63n));
  }
}
