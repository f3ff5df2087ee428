import { type BuildRows, buildRows } from './fill.ts';

const builders = new Map<string, BuildRows>();
/** More shapes than this are built without generated code. */
const MAX_BUILDERS = 256;

/**
 * As `buildRows`, with a function generated for each list of keys. It is only loaded for `codegen: true`, and needs a
 * page whose CSP allows `unsafe-eval`.
 */
export const generateRows: BuildRows = (keys, columns, count) => {
  const id = JSON.stringify(keys);
  let build = builders.get(id);
  if (build === undefined) {
    if (builders.size >= MAX_BUILDERS || new Set(keys).size !== keys.length) return buildRows(keys, columns, count);
    const names = keys.map((_, index) => `c${index}`);
    // In a literal, only a computed `__proto__` is an ordinary key.
    const fields = keys.map((key, index) => `${key === '__proto__' ? '["__proto__"]' : JSON.stringify(key)}: c${index}[row]`);
    build = new Function(
      'keys', 'columns', 'count',
      `const [${names.join(', ')}] = columns; const rows = new Array(count);
       for (let row = 0; row < count; row++) rows[row] = { ${fields.join(', ')} };
       return rows;`,
    ) as BuildRows;
    builders.set(id, build);
  }
  return build(keys, columns, count);
};
