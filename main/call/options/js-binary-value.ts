/** The type of the values of a js-binary type, which is a literal. Unknown if the literal's own type is not exact. */
export type JsBinaryValue<S> = S extends keyof Scalars
  ? Scalars[S]
  : S extends readonly [infer Item]
    ? JsBinaryValue<Item>[]
    : S extends readonly unknown[] | string
      ? unknown
      : S extends object
        ? Fields<S>
        : unknown;

interface Scalars {
  uint: number;
  int: number;
  float: number;
  string: string;
  Buffer: Uint8Array;
  boolean: boolean;
  json: unknown;
  oid: string;
  regex: RegExp;
  date: Date;
}

/** An object with the fields of a type. Those whose key ends in `?` are optional: missing, they are undefined. */
type Fields<S> = { -readonly [Key in keyof S as Key extends `${string}?` ? never : Key]: JsBinaryValue<S[Key]> } & {
  -readonly [Key in keyof S as Key extends `${infer Name}?` ? Name : never]?: JsBinaryValue<S[Key]> | undefined;
} extends infer Both
  ? { [Key in keyof Both]: Both[Key] }
  : never;
