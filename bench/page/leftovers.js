// Inspects the result of a decoder on a page that forbids code generation.

/**
 * @typedef {object} Looked
 * @property {string} prototype of a row: empty for `Object.prototype`, or the name of its class and the fields it inherits
 * @property {string} getters fields behind functions instead of properties
 * @property {string} unwrap wrapped values, by key
 * @property {string} renamed keys that differ from the schema or payload
 * @property {string} extra own properties beyond the payload's
 * @property {string} proto the decoder's treatment of a key `__proto__`
 * @property {string} codegen use of code generation
 */

/**
 * @param {object} probe
 * @param {string} probe.contender
 * @param {import('../contenders/contender.js').Payload} probe.payload
 * @param {string} probe.url of a payload of rows
 * @param {number[] | null} probe.proto a payload with the keys `__proto__` and `b`; null if the format has no such keys
 * @param {readonly string[]} probe.keys of a row
 * @returns {Promise<Looked>}
 */
export async function look({ contender: id, payload, url, proto, keys }) {
  /** @type {Set<string>} */
  const tried = new Set();
  addEventListener('securitypolicyviolation', ({ blockedURI }) => tried.add(blockedURI === 'wasm-eval' ? 'tries WebAssembly' : 'tried'));
  const none = { prototype: '', getters: '', unwrap: '', renamed: '', extra: '', proto: '' };
  try {
    const { contender } = await import(`/bench/contenders/${id}.js`);
    const decoding = await contender.setup(payload);
    const bytes = await (await fetch(url)).arrayBuffer();
    const value = await decoding.decode(bytes);
    const list = value[String(payload.list)];
    const row = decoding.own ? decoding.own(value) : list.at(0);
    const looked = describe(row, keys);
    const plainRow = await decodedProto(contender, { ...payload, list: null }, proto);
    // Violations are reported in separate tasks.
    await new Promise((resolve) => setTimeout(resolve, 50));
    decoding.close();
    return { ...looked, proto: plainRow, codegen: [...tried].join(', ') || 'no' };
  } catch (error) {
    const isRefused = /eval|code generation|Content Security Policy/i.test(String(error));
    return { ...none, codegen: isRefused ? 'needed' : `failed: ${/** @type {Error} */ (error).message}` };
  }
}

/**
 * @param {any} row
 * @param {readonly string[]} keys
 */
function describe(row, keys) {
  const own = Reflect.ownKeys(row).map(String);
  const found = keys.map((key) => [key, own.find((name) => sameName(name, key)) ?? inheritedName(row, key)]);
  const inherited = found.filter(([, name]) => name !== undefined && !own.includes(String(name)));
  const behind = inherited.filter(([, name]) => String(name).endsWith('()') || isAccessor(row, String(name)));
  const remnants = inherited.length - behind.length;
  const values = found.filter(([, name]) => name !== undefined && own.includes(String(name))).map(([, name]) => [name, row[String(name)]]);
  return {
    prototype: prototypeOf(row) + (remnants > 0 ? `, ${remnants} of ${keys.length} fields on it` : ''),
    getters: behind.length > 0 ? `${behind.length} of ${keys.length}` : '',
    unwrap: values.flatMap(([name, value]) => (wrapperOf(value) ? [`${name}: ${wrapperOf(value)}`] : [])).join(', '),
    renamed: listOf(found.filter(([key, name]) => name !== undefined && name !== key).map(([key, name]) => `${key} → ${name}`)),
    extra: listOf(own.filter((name) => !found.some(([, used]) => used === name))),
  };
}

/** The first item, and the number of others. @param {readonly string[]} items */
function listOf(items) {
  return items.length > 1 ? `${items[0]} and ${items.length - 1} more` : items.join('');
}

/** @param {string} name @param {string} key */
function sameName(name, key) {
  const fold = (/** @type {string} */ text) => text.replaceAll('_', '').toLowerCase();
  return name === key || (!name.startsWith('_') && fold(name) === fold(key));
}

/** The function or accessor of a key on the prototype chain. @param {any} row @param {string} key */
function inheritedName(row, key) {
  for (let proto = Object.getPrototypeOf(row); proto && proto !== Object.prototype; proto = Object.getPrototypeOf(proto)) {
    const names = Object.getOwnPropertyNames(proto);
    const method = names.find((name) => sameName(name, key) || sameName(name, `get${key}`));
    if (method) return typeof Object.getOwnPropertyDescriptor(proto, method)?.value === 'function' ? `${method}()` : method;
  }
  return undefined;
}

/** @param {any} row @param {string} name */
function isAccessor(row, name) {
  for (let proto = Object.getPrototypeOf(row); proto; proto = Object.getPrototypeOf(proto)) {
    const property = Object.getOwnPropertyDescriptor(proto, name);
    if (property) return property.get !== undefined;
  }
  return false;
}

/** @param {any} row */
function prototypeOf(row) {
  const proto = Object.getPrototypeOf(row);
  if (proto === Object.prototype) return '';
  if (proto === null) return 'null';
  const name = proto.constructor?.name;
  return `class ${name && name.length > 1 ? name : 'of its own'}`;
}

/** @param {any} value */
function wrapperOf(value) {
  if (typeof value === 'bigint') return 'bigint';
  if (typeof value !== 'object' || value === null || value instanceof Date || Array.isArray(value)) return undefined;
  const proto = Object.getPrototypeOf(value);
  if (proto === Object.prototype) return undefined;
  return 'low' in value && 'high' in value ? 'Long' : (proto?.constructor?.name ?? 'object');
}

/**
 * @param {import('../contenders/contender.js').Contender} contender
 * @param {import('../contenders/contender.js').Payload} payload
 * @param {number[] | null} bytes
 */
async function decodedProto(contender, payload, bytes) {
  if (!bytes) return '–';
  const decoding = await contender.setup(payload);
  try {
    const value = /** @type {any} */ (await decoding.decode(Uint8Array.from(bytes).buffer));
    if (value.b !== 2) return 'wrong value';
    if (Object.hasOwn(value, '__proto__')) return 'own property';
    if (Object.getPrototypeOf(value) !== Object.prototype) return 'sets the prototype';
    const other = Object.keys(value).find((key) => key.includes('proto'));
    return other ? `renamed to ${other}` : 'dropped';
  } catch (error) {
    return `refused: ${/** @type {Error} */ (error).message ?? error}`;
  } finally {
    decoding.close();
  }
}
