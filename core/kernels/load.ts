import { Kernel, type KernelSetting } from './kernel.ts';
import { KERNELS } from './module.ts';

/** Kernels with more memory are not reused. */
const MAX_KEPT = 8 * 1024 * 1024;

/** Decodes the text of a module: see `scripts/generate/kernels.mjs`. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  let length = 0;
  let more = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at) - 40;
    if (code < 0) more = (code + 6) * 87;
    else {
      bytes[length++] = more + code;
      more = 0;
    }
  }
  return bytes.subarray(0, length);
}

/** The kernels of a thread: compiled once, with reused memory. */
export class KernelPool {
  readonly #module: WebAssembly.Module;
  /** Pools of formats with a module of their own, by the module's text. */
  readonly #others = new Map<string, KernelPool | undefined>();
  #free: Kernel | undefined;

  private constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /**
   * Compiles kernels, by default those of JSON and MessagePack; undefined if the engine cannot. A policy that forbids
   * it also reports the attempt: see `policy.ts`.
   */
  static create(module = KERNELS): KernelPool | undefined {
    try {
      return new KernelPool(new WebAssembly.Module(bytesOf(module)));
    } catch {
      return undefined;
    }
  }

  /** The kernels of a format: these, unless it has a module of its own, which is compiled on first use. */
  of({ kernel }: { kernel?: string }): KernelPool | undefined {
    if (kernel === undefined) return this;
    if (!this.#others.has(kernel)) this.#others.set(kernel, KernelPool.create(kernel));
    return this.#others.get(kernel);
  }

  /** Takes a kernel for one decode. */
  take(setting?: Partial<KernelSetting>): Kernel {
    const free = setting === undefined ? this.#free : undefined;
    if (free === undefined) return new Kernel(this.#module, setting);
    this.#free = undefined;
    return free;
  }

  /** Returns a kernel after its decode. */
  give(kernel: Kernel): void {
    if (kernel.size > MAX_KEPT) return;
    kernel.reset();
    this.#free = kernel;
  }
}
