import { Kernel, type KernelSetting } from './kernel.ts';
import { KERNELS } from './module.ts';

/** Kernels with more memory are not kept for the next decode. */
const MOST_KEPT = 8 * 1024 * 1024;

/** The kernels of a thread: compiled once, and their memory used again. */
export class KernelPool {
  readonly #module: WebAssembly.Module;
  #free: Kernel | undefined;

  private constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /** Compiles the kernels; undefined where the engine cannot. A policy that forbids it reports this: see `policy.ts`. */
  static create(): KernelPool | undefined {
    try {
      return new KernelPool(new WebAssembly.Module(Uint8Array.from(atob(KERNELS), (letter) => letter.charCodeAt(0))));
    } catch {
      return undefined;
    }
  }

  /** A kernel for one decode. */
  take(setting?: Partial<KernelSetting>): Kernel {
    const free = setting === undefined ? this.#free : undefined;
    if (free === undefined) return new Kernel(this.#module, setting);
    this.#free = undefined;
    return free;
  }

  /** Takes it back, when the decode has ended. */
  give(kernel: Kernel): void {
    if (kernel.size > MOST_KEPT) return;
    kernel.reset();
    this.#free = kernel;
  }
}
