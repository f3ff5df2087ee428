import { ABOUT, FORMATS } from '../../core/formats/registry.ts';
import type { GivenSchema } from './convert.ts';

/** Compresses bytes, by the name of the compression in the heading. */
export type Compressions = Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>>;

/**
 * A table of the bytes that a value takes in each format that can hold it without a schema, and in that of the given schema, plain
 * and compressed. A format that cannot hold the value has the reason instead.
 */
export async function sizesOf(value: unknown, schema: GivenSchema | undefined, compressions: Compressions): Promise<string> {
  const { createEncoder } = await import('../encode.ts');
  const encoder = createEncoder();
  const rows = [['format', 'bytes', ...Object.keys(compressions)]];
  const reasons: string[] = [];
  for (const { id } of FORMATS.filter((format) => format.schema === false || format.schema === null || format.id === schema?.format)) {
    const of = id === schema?.format ? { schema: schema.schema } : {};
    try {
      const bytes = await encoder.encode(value, { format: id, ...of } as { format: 'json' });
      const sizes = [bytes, ...Object.values(compressions).map((compress) => compress(bytes))].map(({ length }) => length.toLocaleString('en'));
      rows.push([ABOUT[id].label, ...sizes]);
    } catch (error) {
      reasons.push(`${ABOUT[id].label}: ${(error as Error).message}\n`);
    }
  }
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  '));
  return `${lines.join('\n')}\n${reasons.join('')}`;
}
