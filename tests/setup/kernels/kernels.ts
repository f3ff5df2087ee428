import type { Kernel, KernelSetting } from '../../../core/kernels/kernel.ts';
import { KernelPool } from '../../../core/kernels/load.ts';

const pool = KernelPool.create();

/**
 * Ways to read records: without a kernel, with a kernel as in a worker, with one for inputs of any size, and with one whose
 * windows cut nearly every record.
 */
export const KERNELS: Readonly<Record<string, Partial<KernelSetting> | undefined>> = {
  'without a kernel': undefined,
  'with a kernel': {},
  'with an eager kernel': { leastBytes: 0, eager: true },
  'with a kernel of small windows': { leastBytes: 0, eager: true, firstWindow: 96, window: 777 },
};

/** Creates a kernel with checked loads and stores: see `checked-kernels.node.ts`, which needs Node. */
export type MakeChecked = (format: { kernel?: string }, setting: Partial<KernelSetting>) => Kernel;

/** The kernel for a `RowSink`, by its name in `KERNELS`. */
export function kernelOf(name: string, format: { kernel?: string } = {}, makeChecked?: MakeChecked): Kernel | undefined {
  const setting = KERNELS[name];
  if (setting === undefined) return undefined;
  if (makeChecked) return makeChecked(format, setting);
  const kernels = pool?.of(format);
  if (kernels === undefined) throw new Error('the kernels do not compile here');
  const kept = free.get(`${name} ${format.kernel ?? ''}`);
  return kept?.pop() ?? kernels.take(setting);
}

/** Larger kernels are dropped after a decode, as in a worker. */
const MAX_KEPT = 8 * 1024 * 1024;

/** Idle kernels, by name and module. */
const free = new Map<string, Kernel[]>();

/** Returns a kernel of `kernelOf` for reuse, as workers do. */
export function giveKernel(kernel: Kernel | undefined, name: string, format: { kernel?: string } = {}): void {
  if (kernel === undefined || kernel.size > MAX_KEPT) return;
  kernel.reset();
  const key = `${name} ${format.kernel ?? ''}`;
  if (!free.has(key)) free.set(key, []);
  free.get(key)!.push(kernel);
}
