/**
 * The type of the values of an Avro schema, which is a literal, as they are decoded with the default options. Unknown where
 * the literal's own type is not exact, for types that are named before they are defined or again, and for unions whose
 * values are wrapped (see `AvroOptions.unions`).
 */
export type AvroValue<S> = S extends keyof Primitives
  ? Primitives[S]
  : S extends string
    ? unknown
    : S extends readonly unknown[]
      ? UnionValue<S>
      : S extends { readonly reader: infer Reader }
        ? AvroValue<Reader>
        : S extends { readonly writer: infer Writer }
          ? AvroValue<Writer>
          : S extends { readonly type: infer Type }
            ? TypeValue<S, Type>
            : unknown;

interface Primitives {
  null: null;
  boolean: boolean;
  int: number;
  long: number | bigint;
  float: number;
  double: number;
  bytes: Uint8Array;
  string: string;
}

/** Classes of types that JavaScript tells apart. */
interface Classes {
  null: 'null';
  boolean: 'boolean';
  int: 'number';
  long: 'number';
  float: 'number';
  double: 'number';
  bytes: 'bytes';
  string: 'text';
  enum: 'text';
  fixed: 'bytes';
  array: 'array';
  map: 'object';
  record: 'object';
}

type TypeValue<S, Type> = S extends { readonly logicalType: infer Logical }
  ? LogicalValue<Type, Logical>
  : Type extends 'record'
    ? S extends { readonly fields: readonly (infer Field)[] }
      ? {
          [Each in Field as Each extends { readonly name: infer Name extends string } ? Name : never]: Each extends { readonly type: infer Of }
            ? AvroValue<Of>
            : unknown;
        }
      : unknown
    : Type extends 'enum'
      ? S extends { readonly symbols: readonly (infer Symbol)[] }
        ? Symbol
        : unknown
      : Type extends 'array'
        ? S extends { readonly items: infer Items }
          ? AvroValue<Items>[]
          : unknown
        : Type extends 'map'
          ? S extends { readonly values: infer Values }
            ? Record<string, AvroValue<Values>>
            : unknown
          : Type extends 'fixed'
            ? Uint8Array
            : AvroValue<Type>;

/** Values of a type with a logical type: converted if the two fit. */
type LogicalValue<Type, Logical> = Logical extends 'date'
  ? Converted<Type, 'int', Date>
  : Logical extends `${'' | 'local-'}timestamp-${'millis' | 'micros' | 'nanos'}`
    ? Converted<Type, 'long', Date>
    : Logical extends 'time-millis' | 'time-micros'
      ? AvroValue<Type>
      : Logical extends 'uuid'
        ? Converted<Type, 'string', string>
        : Logical extends 'decimal'
          ? Converted<Type, 'bytes' | 'fixed', string>
          : Logical extends 'duration'
            ? Converted<Type, 'fixed', { months: number; days: number; milliseconds: number }>
            : unknown;

type Converted<Type, Needed, Value> = Type extends Needed ? Value : unknown;

/** The class of a type in a union; `other` for a name, whose type is unknown here. */
type ClassOf<S> = S extends keyof Classes
  ? Classes[S]
  : S extends { readonly logicalType: unknown }
    ? 'other'
    : S extends { readonly type: infer Type }
      ? ClassOf<Type>
      : 'other';

/** True if JavaScript tells all types of a union apart. */
type IsPlain<S, Seen = never> = S extends readonly [infer First, ...infer Rest]
  ? ClassOf<First> extends Seen | 'other'
    ? false
    : IsPlain<Rest, Seen | ClassOf<First>>
  : S extends readonly []
    ? true
    : false;

/** Values of a union. Null and one other type are told apart, whatever that is. */
type UnionValue<S extends readonly unknown[]> = S extends readonly ['null', infer Of] | readonly [infer Of, 'null']
  ? AvroValue<Of> | null
  : IsPlain<S> extends true
    ? AvroValue<S[number]>
    : unknown;
