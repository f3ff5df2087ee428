import type { JsonOptions } from '../../../core/formats/json/index.ts';

/** Options for decoding mutated inputs, used in turn. */
export const options: readonly JsonOptions[] = [{}, { bigints: 'bigint' }, { sequence: true }, { ranges: true }];

/** Valid inputs with every kind of token. */
export function seeds(): Uint8Array[] {
  const rows = Array.from({ length: 5 }, (_, i) => ({ id: i, name: `name ${i}`, x: i / 3, none: null, list: [i, [i]] }));
  return [
    JSON.stringify({ rows, deep: [[[[{}]]]], empty: ['', {}, []], yes: true, no: false }),
    JSON.stringify(['größer', '🚲', '\u2028', 'line\nbreak', '\\ "quoted"', '\ud800']),
    '[0, -0, 1.5, -12.25e-3, 1E+300, 123456789012345678901234567890, 0.1234567890123456, 5e-324, 1e400]',
    '{"a": 1, "a": 2, "__proto__": {"x": []}, "": "\\u0041\\ud83d\\ude80\\/\\b"}',
    `\ufeff { "spaced" : [ 1 ,\t2 ,\r\n 3 ] } `,
    '{"line": 1}\n{"line": 2}\n\n[3]\n"four"\n5\n',
  ].map((text) => new TextEncoder().encode(text));
}
