import type { Plan } from '../../protobuf/read/plan.ts';
import { wellKnownKind } from '../../protobuf/schema/names.ts';
import type { ProtobufSchema } from '../../protobuf/schema/schema.ts';

/** Names of fields and enums in JSON, which the plan of the binary form leaves out. */
export class Names {
  /** Kind of each message type, also if well-known types are sent as messages. */
  readonly kinds: Uint8Array;
  readonly #fields: (ReadonlyMap<string, number> | undefined)[] = [];
  readonly #enums: (ReadonlyMap<string, number> | undefined)[] = [];
  readonly #schema: ProtobufSchema;
  readonly #rooted: ProtobufSchema[] = [];

  constructor(schema: ProtobufSchema) {
    this.#schema = schema;
    this.kinds = Uint8Array.from(schema.messages, wellKnownKind);
  }

  /** Index of each field of a message by its name in JSON and in the `.proto`. A name in JSON comes first. */
  fieldsOf(type: number): ReadonlyMap<string, number> {
    let names = this.#fields[type] as Map<string, number> | undefined;
    if (names === undefined) {
      const { fields } = this.#schema.messages[type]!;
      this.#fields[type] = names = new Map(fields.map(({ jsonName }, index) => [jsonName, index]));
      for (const [index, { name }] of fields.entries()) if (!names.has(name)) names.set(name, index);
    }
    return names;
  }

  /** The schema with another message type as its root. */
  rootedAt(type: number): ProtobufSchema {
    return (this.#rooted[type] ??= { ...this.#schema, root: type });
  }

  /** The number of each name of the enum of a field. */
  numbersOf(plan: Plan, field: number): ReadonlyMap<string, number> {
    const index = plan.ref[field]!;
    let numbers = this.#enums[index];
    if (numbers === undefined) {
      const { names, numbers: all } = this.#schema.enums[index]!;
      this.#enums[index] = numbers = new Map(names.map((name, at) => [name, all[at]!]));
    }
    return numbers;
  }
}

const known = new WeakMap<ProtobufSchema, Names>();

/** The names of a schema, cached. */
export function namesOf(schema: ProtobufSchema): Names {
  let names = known.get(schema);
  if (names === undefined) known.set(schema, (names = new Names(schema)));
  return names;
}
