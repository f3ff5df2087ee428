import { inferShape, type Kind, type RecordShape, type Shape } from './shape.ts';
import { recordNames } from './names.ts';

const WORDS: Partial<Record<Kind, string>> = { boolean: 'boolean', double: 'number', string: 'string', bytes: 'Uint8Array', date: 'Date' };

/** TypeScript declarations for a value, with an interface for the records at each path. */
export function typescriptOf(value: unknown): string {
  const { root, records } = inferShape(value);
  const names = recordNames(root, records);
  const interfaces = records.map((record) => interfaceOf(record, names));
  // A record at the root already has a name.
  const isNamed = root.kinds.size === 1 && root.record !== undefined && !root.isNullable;
  const text = interfaces.map((lines) => `export ${lines}`).join('\n\n');
  return isNamed ? `${text}\n` : `${text === '' ? '' : `${text}\n\n`}export type Value = ${typeOf(root, names)};\n`;
}

function interfaceOf(record: RecordShape, names: readonly string[]): string {
  const fields = [...record.fields].map(([key, shape]) => {
    const isAbsent = shape.seen < record.count;
    return `  ${/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)}${isAbsent ? '?' : ''}: ${typeOf(shape, names)};`;
  });
  return `interface ${names[record.index]} {\n${fields.join('\n')}${fields.length > 0 ? '\n' : ''}}`;
}

function typeOf(shape: Shape, names: readonly string[]): string {
  const words = [...shape.kinds].map((kind) => {
    if (kind === 'record') return names[shape.record!.index]!;
    if (kind === 'integer') return Number.isSafeInteger(shape.min) && Number.isSafeInteger(shape.max) ? 'number' : 'number | bigint';
    return kind === 'list' ? listOf(shape.items, names) : WORDS[kind]!;
  });
  if (shape.isNullable || words.length === 0) words.push('null');
  return [...new Set(words)].join(' | ');
}

function listOf(items: Shape | undefined, names: readonly string[]): string {
  if (!items || (items.kinds.size === 0 && !items.isNullable)) return 'unknown[]';
  const type = typeOf(items, names);
  return type.includes(' | ') ? `(${type})[]` : `${type}[]`;
}
