import type { Exported } from '../../values/value.ts';

/** Maximum length of a container written on one line. */
const LINE = 60;

/** Indented JSON, with short flat containers on one line. */
export function indented(value: Exported, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const items = Object.values(value);
  if (items.every((item) => typeof item !== 'object' || item === null)) {
    const line = oneLine(value);
    if (line.length <= LINE) return line;
  }
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => inner + indented(item, inner))
    : Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${indented(item, inner)}`);
  const [begin, end] = Array.isArray(value) ? '[]' : '{}';
  return `${begin}\n${lines.join(',\n')}\n${indent}${end}`;
}

function oneLine(value: Exported[] | { [key: string]: Exported }): string {
  if (Array.isArray(value)) return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${JSON.stringify(item)}`)
    .join(', ')}}`;
}
