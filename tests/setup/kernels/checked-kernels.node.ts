import binaryen from 'binaryen';
import { WINDOW_SLACK } from '../../../core/kernels/assembly/layout.ts';
import { Kernel, type KernelSetting, type ReadRows } from '../../../core/kernels/kernel.ts';
import { bytesOf } from '../../../core/kernels/load.ts';
import { KERNELS } from '../../../core/kernels/module.ts';

/** Bytes of a vector, which may extend past an allocation into its padding. */
const VECTOR = 16;
/** Bytes after an allocation that loads of short strings may read. */
const READ_AHEAD = 32;

/**
 * The memory that a kernel may access: static data, each allocation and, for loads only, the input of the run with the zeros
 * after it.
 */
class Regions {
  /** Allocations in order; the first is the window. */
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  /** End of the input of the run. */
  end = 0;
  accesses = 0;
  readonly imports = {
    env: new Proxy<Record<string, WebAssembly.ImportValue>>(
      {},
      {
        get: (_, name): WebAssembly.ImportValue => {
          if (name === 'load_ptr') return (_id: number, size: number, offset: number, at: number) => this.#check('load', size, offset, at);
          if (name === 'store_ptr') return (_id: number, size: number, offset: number, at: number) => this.#check('store', size, offset, at);
          // The second operand is the stored value, or the pages of `memory.grow`.
          return (one: unknown, value?: unknown) => value ?? one;
        },
      },
    ),
  };

  add(start: number, length: number): void {
    this.#starts.push(start);
    this.#lengths.push(length);
  }

  /** Removes all allocations but the window. */
  reset(): void {
    this.#starts.length = this.#lengths.length = 1;
  }

  /** Returns the address. Throws if the access leaves its region. */
  #check(kind: 'load' | 'store', size: number, offset: number, address: number): number {
    this.accesses += 1;
    const at = (address >>> 0) + (offset >>> 0);
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= at) low = middle + 1;
      else high = middle;
    }
    const index = low - 1;
    const start = index < 0 ? 0 : this.#starts[index]!;
    let end = index < 0 ? this.#starts[0]! : start + this.#lengths[index]!;
    if (index === 0) end = kind === 'load' ? this.end + WINDOW_SLACK : 0;
    else if (index > 0) end += kind === 'load' ? READ_AHEAD : size === VECTOR ? VECTOR - 1 : 0;
    if (at + size > end) throw new Error(`a ${kind} of ${size} bytes at ${at} leaves ${start}..${end}, region ${index}`);
    return address;
  }
}

/** Regions of the kernel under construction, whose constructor allocates. */
let made = new Regions();

/** A kernel that checks all loads and stores: the published module with a call before each. */
export class CheckedKernel extends Kernel {
  declare readonly regions: Regions;

  constructor(module: WebAssembly.Module, setting?: Partial<KernelSetting>) {
    made = new Regions();
    super(module, setting, made.imports);
    this.regions = made;
  }

  override allocate(length: number, clear?: boolean): number {
    const address = super.allocate(length, clear);
    if (address > 0) (this.regions ?? made).add(address, length);
    return address;
  }

  override reset(): void {
    super.reset();
    this.regions.reset();
  }

  override rowsOf(grammar: Parameters<Kernel['rowsOf']>[0]): ReadRows | undefined {
    return this.#bounded(super.rowsOf(grammar));
  }

  override itemsOf(grammar: Parameters<Kernel['itemsOf']>[0]): ReadRows | undefined {
    return this.#bounded(super.itemsOf(grammar));
  }

  #bounded(read: ReadRows | undefined): ReadRows | undefined {
    return (
      read &&
      ((from, to, room) => {
        this.regions.end = to;
        return read(from, to, room);
      })
    );
  }
}

const modules = new Map<string, WebAssembly.Module>();

/** A checked kernel of a format's module, or of the built-in one. */
export function checkedKernelOf({ kernel = KERNELS }: { kernel?: string }, setting?: Partial<KernelSetting>): CheckedKernel {
  let module = modules.get(kernel);
  if (module === undefined) {
    const binary = binaryen.readBinary(bytesOf(kernel));
    binary.setFeatures(binaryen.Features.All);
    binary.runPasses(['instrument-memory']);
    module = new WebAssembly.Module(binary.emitBinary() as Uint8Array<ArrayBuffer>);
    binary.dispose();
    modules.set(kernel, module);
  }
  return new CheckedKernel(module, setting);
}
