import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { encode } from '@msgpack/msgpack';
import { loadFormat } from '../../../../core/formats/loaders.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';
import { FORMATS } from '../../../../core/formats/registry.ts';
import { loadWriter } from '../../../../core/formats/writers.ts';
import { resolveLimits } from '../../../../core/limits.ts';
import { PickSink } from '../../../../core/sinks/pick/pick-sink.ts';
import { RowSink } from '../../../../core/kernels/row-sink.ts';
import { isTyped, subjectOf } from '../../../fuzz/fuzz.ts';
import { mutate, Random } from '../../../fuzz/mutate.ts';
import { caseCount } from '../../../setup/properties/case-count.ts';
import { type CheckedKernel, checkedKernelOf } from '../../../setup/kernels/checked-kernels.node.ts';
import { encodeWith } from '../../../setup/ways/encode-with.ts';
import { toHex } from '../../../setup/values/hex.ts';
import { KERNELS } from '../../../setup/kernels/kernels.ts';
import { FORMATS as LINES } from '../../../matrix/formats.ts';
import { SHAPES, valueFor } from '../../../matrix/shapes.ts';

const HOW = ['with an eager kernel', 'with a kernel of small windows'];
/** Parts of the records of `SHAPES` and of seeds. */
const PICK = ['id', 'list.x', 'inner', 'a.b', 'value.id', 'value.list.x', 'value.inner', 'rows.text', 'value.rows.id'];
const COUNT = caseCount(4000, { least: 160 });
const WITHOUT: readonly FormatId[] = ['flatbuffers', 'capnproto'];

describe('kernel', () => {
  test.each(FORMATS.map(({ id }) => id).filter((id) => !WITHOUT.includes(id)))(
    'stays within the allocated regions for mutated %s inputs',
    async (id) => {
      const [format, subject] = await Promise.all([loadFormat(id), subjectOf(id)]);
      const kernels = HOW.map((name) => checkedKernelOf(format, KERNELS[name]));
      const seeds = subject.seeds().filter(({ length }) => length > 0);
      // A seed of a few rows ends before a kernel starts. For the other formats, the kernels' own tests mutate rows.
      const line = LINES.find((one) => one.id === id)!;
      const hasKernel = existsSync(`core/kernels/assembly/formats/${id}.ts`);
      const isPlain = hasKernel && (line.holds === 'values' || line.holds === 'documents');
      if (isPlain) {
        const writer = await loadWriter(id);
        const values = SHAPES.slice(0, 5).map((shape) => valueFor(line, shape, 40));
        for (const value of values) seeds.push(encodeWith(writer, value), encodeWith(writer, value));
      }
      const random = new Random(7);
      for (let run = 0; run < COUNT; run += 1) {
        const bytes = mutate(random, random.pick(seeds), seeds);
        const kernel = kernels[run % kernels.length]!;
        const isPicked = run % 8 > 5;
        const sink = new RowSink(() => {}, resolveLimits(), { raw: run % 4 > 1, picked: isPicked }, kernel);
        kernel.reset();
        try {
          format
            .createReader(isPicked ? new PickSink(sink, PICK) : sink, subject.options[run % subject.options.length]!, resolveLimits(), subject.schema)
            .end(bytes);
          sink.finish();
        } catch (error) {
          if (!isTyped(error)) throw new Error(`${toHex(bytes)}, run ${run}: ${String(error)}`, { cause: error });
        }
      }
      if (isPlain) for (const { regions } of kernels) expect(regions.accesses).toBeGreaterThan(COUNT);
    },
  );

  test('fails the check if it leaves the allocated regions', async () => {
    const kernel: CheckedKernel = checkedKernelOf({}, KERNELS['with an eager kernel']);
    const rows = Array.from({ length: 100 }, (_, at) => ({ id: at, name: `name ${at}` }));
    const read = (): void => {
      const sink = new RowSink(() => {}, resolveLimits(), {}, kernel);
      messagepack.createReader(sink, {}, resolveLimits(), undefined).end(encode(rows));
    };
    const messagepack = await loadFormat('messagepack');
    read();
    expect(kernel.regions.accesses).toBeGreaterThan(1000);
    kernel.reset();
    // From here on, the checks know fewer regions than the kernel receives.
    const allocate = kernel.regions.add.bind(kernel.regions);
    kernel.regions.add = (start, length) => allocate(start, Math.min(length, 64));
    expect(read).toThrow(/a (?:load|store) of \d+ bytes at \d+ leaves/);
  });
});
