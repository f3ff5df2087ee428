import type { Kernel, KernelSetting } from '../../../core/kernels/kernel.ts';
import { KernelPool } from '../../../core/kernels/load.ts';

const pool = KernelPool.create();

/**
 * How a test's records are read: by the reader alone, by a kernel as in a worker, by one that takes whatever there is, and by
 * one whose windows cut nearly every record.
 */
export const KERNELS: Readonly<Record<string, Partial<KernelSetting> | undefined>> = {
  'without a kernel': undefined,
  'with a kernel': {},
  'with an eager kernel': { leastBytes: 0, eager: true },
  'with a kernel of small windows': { leastBytes: 0, eager: true, firstWindow: 96, window: 777 },
};

/** Makes a kernel whose loads and stores are checked: see `checked-kernels.node.ts`, which needs Node. */
export type MakeChecked = (format: { kernel?: string }, setting: Partial<KernelSetting>) => Kernel;

/** By the names of `KERNELS`, what a `RowSink` takes; of a format that has a module of its own, by default the built-in ones. */
export function kernelOf(name: string, format: { kernel?: string } = {}, makeChecked?: MakeChecked): Kernel | undefined {
  const setting = KERNELS[name];
  if (setting === undefined) return undefined;
  if (makeChecked) return makeChecked(format, setting);
  const kernels = pool?.of(format);
  if (kernels === undefined) throw new Error('the kernels do not compile here');
  const kept = free.get(`${name} ${format.kernel ?? ''}`);
  return kept?.pop() ?? kernels.take(setting);
}

/** Kernels with more memory are dropped after a decode, as in a worker. */
const MOST_KEPT = 8 * 1024 * 1024;

/** Kernels that can be used again, by what they were asked for with. */
const free = new Map<string, Kernel[]>();

/** Takes a kernel of `kernelOf` back when its decode has ended, as workers do: to make one anew for each decode takes a tenth of the tests' time. */
export function giveKernel(kernel: Kernel | undefined, name: string, format: { kernel?: string } = {}): void {
  if (kernel === undefined || kernel.size > MOST_KEPT) return;
  kernel.reset();
  const key = `${name} ${format.kernel ?? ''}`;
  if (!free.has(key)) free.set(key, []);
  free.get(key)!.push(kernel);
}
