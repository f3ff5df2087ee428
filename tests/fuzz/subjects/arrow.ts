import type { ArrowOptions } from '../../../core/formats/arrow/index.ts';
import writer from '../../../core/formats/arrow/writer.ts';
import { encodeWith } from '../../setup/ways/encode-with.ts';
import { sampleBytes } from '../../unit/core/formats/arrow/samples.ts';

/** Options for decoding mutated inputs, used in turn. */
export const options: readonly ArrowOptions[] = [
  {},
  { int64: 'bigint', timestamps: 'number' },
  { int64: 'string', decimals: 'number', maps: 'map' },
  { int64: 'number' },
];

/** Valid inputs of every kind. */
export function seeds(): Uint8Array[] {
  const rows = Array.from({ length: 3 }, (_, id) => ({
    id,
    name: id === 1 ? null : `größe ${id}`,
    at: new Date(id),
    long: BigInt(id),
    list: [[id], []],
    inner: { bytes: Uint8Array.of(id), map: new Map([[`k${id}`, true]]) },
  }));
  return [
    sampleBytes('stream', 4),
    sampleBytes('file', 2),
    encodeWith(writer, rows),
    encodeWith(writer, rows, { options: { framing: 'file', batchRows: 2 } }),
    encodeWith(writer, []),
  ];
}
