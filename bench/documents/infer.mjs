// Infers a schema from a whole JSON value.

/**
 * The union of the types of all values at one place.
 *
 * @typedef {object} Type
 * @property {boolean} [null]
 * @property {boolean} [boolean]
 * @property {'int32' | 'int64' | 'double'} [number]
 * @property {boolean} [string]
 * @property {Type} [items] of lists
 * @property {Map<string, Type>} [fields] of records
 * @property {Type} [values] of dictionaries
 */

/** Identifiers of both formats. */
const NAME = /^[A-Za-z_][A-Za-z\d_]*$/;
/** Objects at one place with more different keys than this are dictionaries. */
const MAX_FIELDS = 200;

/**
 * @param {any} value JSON
 * @returns {Type}
 */
export function inferType(value) {
  /** @type {Type} */
  const type = {};
  add(type, value);
  return type;
}

/** @param {Type} type @param {any} value */
function add(type, value) {
  if (value === null) type.null = true;
  else if (typeof value === 'boolean') type.boolean = true;
  else if (typeof value === 'string') type.string = true;
  else if (typeof value === 'number') type.number = widest(type.number, numberOf(value));
  else if (Array.isArray(value)) {
    type.items ??= {};
    for (const item of value) add(type.items, item);
  } else addObject(type, value);
}

/** @param {Type} type @param {Record<string, unknown>} value */
function addObject(type, value) {
  const keys = Object.keys(value);
  if (type.values === undefined) {
    const fields = (type.fields ??= new Map());
    const isRecord = keys.every((key) => NAME.test(key) && key !== '__proto__');
    if (isRecord && fields.size + keys.length <= 2 * MAX_FIELDS) {
      for (const key of keys) add(getOrMake(fields, key), value[key]);
      if (fields.size <= MAX_FIELDS) return;
      type.values = {};
    } else {
      type.values = {};
      for (const key of keys) add(type.values, value[key]);
    }
    // Turns the fields found so far into values of a dictionary.
    for (const field of fields.values()) merge(type.values, field);
    delete type.fields;
    return;
  }
  for (const key of keys) add(type.values, value[key]);
}

/** @param {Map<string, Type>} fields @param {string} key */
function getOrMake(fields, key) {
  const found = fields.get(key);
  if (found) return found;
  /** @type {Type} */
  const made = {};
  fields.set(key, made);
  return made;
}

/** @param {Type} type @param {Type} other */
function merge(type, other) {
  if (other.null) type.null = true;
  if (other.boolean) type.boolean = true;
  if (other.string) type.string = true;
  if (other.number) type.number = widest(type.number, other.number);
  if (other.items) merge((type.items ??= {}), other.items);
  if (other.values && type.fields) {
    type.values = {};
    for (const field of type.fields.values()) merge(type.values, field);
    delete type.fields;
  }
  if (type.values) for (const field of other.fields?.values() ?? []) merge(type.values, field);
  else for (const [key, field] of other.fields ?? []) merge(getOrMake((type.fields ??= new Map()), key), field);
  if (other.values) merge((type.values ??= {}), other.values);
}

/** @param {number} value */
function numberOf(value) {
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) return 'double';
  return value === (value | 0) ? 'int32' : 'int64';
}

/** @param {Type['number']} a @param {NonNullable<Type['number']>} b */
function widest(a, b) {
  return [a, b].includes('double') ? 'double' : [a, b].includes('int64') ? 'int64' : 'int32';
}

const AVRO_NUMBERS = { int32: 'int', int64: 'long', double: 'double' };

/**
 * Builds an Avro schema. Absent fields are null.
 *
 * @param {Type} root
 * @returns {object}
 * @throws {RangeError} if the root is no record
 */
export function avroSchema(root) {
  let records = 0;
  /** @param {Type} type @param {boolean} [optional] @returns {any} */
  const schemaOf = (type, optional = false) => {
    const branches = [
      ...(type.null || optional ? ['null'] : []),
      ...(type.boolean ? ['boolean'] : []),
      ...(type.number ? [AVRO_NUMBERS[type.number]] : []),
      ...(type.string ? ['string'] : []),
      ...(type.items ? [{ type: 'array', items: schemaOf(type.items) }] : []),
      ...(type.fields ? [record(type.fields)] : []),
      ...(type.values ? [{ type: 'map', values: schemaOf(type.values) }] : []),
    ];
    // The items of a list that is always empty have no known type.
    if (branches.length === 0) return 'null';
    return branches.length === 1 ? branches[0] : branches;
  };
  /** @param {Map<string, Type>} fields */
  const record = (fields) => ({
    type: 'record',
    name: `Record${(records += 1)}`,
    fields: [...fields].map(([name, type]) => {
      const schema = schemaOf(type, true);
      return { name, type: schema, ...((schema === 'null' || schema[0] === 'null') && { default: null }) };
    }),
  });
  if (!root.fields) throw new RangeError('the root is no record');
  return record(root.fields);
}

/**
 * Builds a `.proto` file with the root message `Root`. Fields with one value are optional, so that zeros are written.
 *
 * @param {Type} root
 * @returns {string}
 * @throws {RangeError} with the path and the reason if Protocol Buffers cannot hold the value
 */
export function protoText(root) {
  /** @type {string[]} */
  const messages = [];
  /** @param {Map<string, Type>} fields @param {string} name @param {string} path */
  const message = (fields, name, path) => {
    const lines = [...fields].flatMap(([field, type], index) => {
      const declared = declaration(type, `${path}.${field}`);
      return declared === undefined ? [] : [`  ${declared} ${field} = ${index + 1};`];
    });
    messages.push(`message ${name} {\n${lines.join('\n')}\n}`);
  };
  /** @param {Type} type @param {string} path @returns {string | undefined} undefined for fields without values */
  const declaration = (type, path) => {
    if (!type.items && !type.values) {
      const single = singleOf(type, path);
      return single === undefined ? undefined : `optional ${single}`;
    }
    if (kindsOf(type) > 1) throw new RangeError(`${path} has values of several types`);
    const inner = /** @type {Type} */ (type.items ?? type.values);
    const what = type.items ? 'items' : 'values';
    if (inner.items || inner.values) throw new RangeError(`${path} has lists or dictionaries as ${what}`);
    if (inner.null) throw new RangeError(`${path} has null among its ${what}`);
    const single = singleOf(inner, path);
    if (single === undefined) return undefined;
    return type.items ? `repeated ${single}` : `map<string, ${single}>`;
  };
  /** @param {Type} type @param {string} path */
  const singleOf = (type, path) => {
    if (kindsOf(type) > 1) throw new RangeError(`${path} has values of several types`);
    if (type.boolean) return 'bool';
    if (type.number) return type.number;
    if (type.string) return 'string';
    if (!type.fields) return undefined;
    const name = `Message${messages.length + 1}`;
    messages.push('');
    const at = messages.length - 1;
    message(type.fields, name, path);
    messages[at] = /** @type {string} */ (messages.pop());
    return name;
  };
  if (!root.fields) throw new RangeError('the root is no record');
  message(root.fields, 'Root', '$');
  return `syntax = "proto3";\n\n${messages.join('\n\n')}\n`;
}

/** @param {Type} type */
function kindsOf({ boolean, number, string, items, fields, values }) {
  return [boolean, number, string, items, fields, values].filter(Boolean).length;
}
