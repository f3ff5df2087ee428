import { mutate, Random } from '../../fuzz/mutate.ts';
import { caseCount } from '../properties/case-count.ts';
import { decodeColumns, type KernelCase, sameWithKernels } from './kernel-outcomes.ts';
import { toHex } from '../values/hex.ts';

/** Checks each load and store of kernels, in Node. */
const checked = globalThis.process?.versions?.node === undefined ? undefined : await import('./checked-kernels.node.ts');

/**
 * Decodes mutated inputs. Throws if kernels change a value or an error, or leave their memory. Returns the number of rows that
 * kernels read, and of rejected inputs.
 */
export async function fuzzWithKernels(
  given: Omit<KernelCase, 'bytes'>,
  seeds: readonly Uint8Array[],
  count = 300,
): Promise<{ rows: number; refused: number }> {
  const random = new Random(5);
  const found = { rows: 0, refused: 0 };
  for (let run = 0; run < caseCount(count, { least: count / 20 }); run += 1) {
    const bytes = mutate(random, random.pick(seeds), seeds);
    const size = 1 + random.below(bytes.length + 1);
    try {
      const { outcome, rows } = await sameWithKernels({ ...given, bytes, sizes: [Math.max(bytes.length, 1), size] });
      found.rows += rows;
      if ('error' in outcome) found.refused += 1;
      if (!checked) continue;
      for (const kernel of ['with an eager kernel', 'with a kernel of small windows'])
        await decodeColumns({ ...given, bytes }, Math.max(bytes.length, 1), kernel, checked.checkedKernelOf);
    } catch (error) {
      throw new Error(`${toHex(bytes)} in pieces of ${size}: ${(error as Error).message}`, { cause: error });
    }
  }
  return found;
}
