import { loadFormat } from '../../core/formats/loaders.ts';
import { loadWriter } from '../../core/formats/writers.ts';
import { resolveLimits } from '../../core/limits.ts';
import { ObjectSink } from '../../core/sinks/objects/objects.ts';
import { RowSink } from '../../core/sinks/columns/rows.ts';
import { collidingKeys } from '../../tests/setup/values/colliding.ts';
import { encodeWith } from '../../tests/setup/ways/encode-with.ts';
import { kernelOf } from '../../tests/setup/kernels/kernels.ts';

/** What one payload, or value, with keys that collide takes, and the same with others of the same length. */
export interface FloodResult {
  format: string;
  /** What is read or written, and how. */
  name: string;
  records: number;
  /** Milliseconds, the least of the runs. */
  plainMs: number;
  collidingMs: number;
}

const READ = ['json', 'messagepack', 'cbor'] as const;
const WRITTEN: readonly (readonly [format: 'json' | 'messagepack' | 'cbor' | 'bson' | 'sia', name: string, options: object])[] = [
  ['json', 'writing', {}],
  ['messagepack', 'writing maps', {}],
  ['messagepack', 'writing records', { records: true }],
  ['cbor', 'writing maps', {}],
  ['cbor', 'writing records', { records: true }],
  ['bson', 'writing', {}],
  ['sia', 'writing', {}],
];
const limits = resolveLimits();

/** Measures every payload and value with so many records, each `runs` times. */
export async function measureFloods(counts: readonly number[], runs: number): Promise<FloodResult[]> {
  const results: FloodResult[] = [];
  for (const records of counts) {
    const colliding = collidingKeys(records);
    const plain = plainKeys(records);
    for (const id of READ) {
      const [format, writer] = await Promise.all([loadFormat(id), loadWriter(id)]);
      for (const [what, valueOf] of [
        ['keys', keyed],
        ['strings', stringed],
      ] as const) {
        const [bytes, others] = [colliding, plain].map((keys) => encodeWith(writer, valueOf(keys)));
        for (const [how, kernel] of [
          ['in columns, no kernel', undefined],
          ['in columns, kernel', 'with a kernel'],
        ] as const) {
          const read = (input: Uint8Array): void => {
            const sink = new RowSink(() => {}, limits, {}, kernel === undefined ? undefined : kernelOf(kernel));
            format.createReader(sink, {}, limits, undefined).end(input);
            sink.finish();
          };
          results.push({
            format: id,
            name: `reading ${what} ${how}`,
            records,
            ...timed(
              () => read(others!),
              () => read(bytes!),
              runs,
            ),
          });
        }
        const make = (input: Uint8Array): void => format.createReader(new ObjectSink(), {}, limits, undefined).end(input);
        results.push({
          format: id,
          name: `reading ${what} as objects`,
          records,
          ...timed(
            () => make(others!),
            () => make(bytes!),
            runs,
          ),
        });
      }
    }
    for (const [id, name, options] of WRITTEN) {
      const writer = await loadWriter(id);
      const [value, other] = [colliding, plain].map(keyed).map((list) => (id === 'bson' ? { list } : list));
      const write = (from: unknown): void => void encodeWith(writer, from, { options });
      results.push({
        format: id,
        name,
        records,
        ...timed(
          () => write(other),
          () => write(value),
          runs,
        ),
      });
    }
  }
  return results;
}

/** Records of which each has another key. */
function keyed(keys: readonly string[]): object[] {
  return keys.map((key, at) => ({ [key]: at, z: 1 }));
}

/** Records with one key, each of whose strings comes twice, as a dictionary has them. */
function stringed(keys: readonly string[]): object[] {
  return keys.map((_, at) => ({ key: keys[at >> 1], z: 1 }));
}

function plainKeys(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `k${((at * 2654435761) % 2 ** 32).toString(36).padStart(7, '0')}`);
}

/** The least time of either, which take turns. */
function timed(plain: () => void, colliding: () => void, runs: number): { plainMs: number; collidingMs: number } {
  const least = [Infinity, Infinity];
  for (let run = 0; run < runs; run += 1) {
    for (const [index, work] of [plain, colliding].entries()) {
      const start = performance.now();
      work();
      least[index] = Math.min(least[index]!, performance.now() - start);
    }
  }
  return { plainMs: least[0]!, collidingMs: least[1]! };
}
