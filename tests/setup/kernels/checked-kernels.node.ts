import binaryen from 'binaryen';
import { WINDOW_SLACK } from '../../../core/kernels/assembly/layout.ts';
import { Kernel, type KernelSetting, type ReadRows } from '../../../core/kernels/kernel.ts';
import { bytesOf } from '../../../core/kernels/load.ts';
import { KERNELS } from '../../../core/kernels/module.ts';

/** A vector is read and written whole: what is behind its last byte that counts is in the room that each allocation has behind it. */
const VECTOR = 16;
/** Words of a short string are read up to here behind it. */
const READ_AHEAD = 32;

/**
 * Where a kernel may read and write: what the compiler placed, each allocation, and of the window the input of the run and
 * the zeros behind it, which it only reads.
 */
class Regions {
  /** Allocations, in order; the first is the window. */
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  /** Where the input of the run ends. */
  end = 0;
  accesses = 0;
  readonly imports = {
    env: new Proxy<Record<string, WebAssembly.ImportValue>>(
      {},
      {
        get: (_, name): WebAssembly.ImportValue => {
          if (name === 'load_ptr') return (_id: number, size: number, offset: number, at: number) => this.#check('load', size, offset, at);
          if (name === 'store_ptr') return (_id: number, size: number, offset: number, at: number) => this.#check('store', size, offset, at);
          // The second operand is the value that is stored; of `memory.grow`, the pages.
          return (one: unknown, value?: unknown) => value ?? one;
        },
      },
    ),
  };

  add(start: number, length: number): void {
    this.#starts.push(start);
    this.#lengths.push(length);
  }

  /** Forgets all but the window. */
  reset(): void {
    this.#starts.length = this.#lengths.length = 1;
  }

  /** Throws where an access leaves its region; returns the address. */
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

/** Regions of the kernel under construction: its constructor allocates. */
let made = new Regions();

/** A kernel whose loads and stores are all checked: the module that is shipped, with a call before each. */
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

/** A checked kernel of a format; of one that has no module of its own, the built-in ones. */
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
