import { signal } from '@preact/signals';
import type { FormSize, KeptBody } from '../../reading/protocol.ts';
import { mayBeData, type Row } from '../requests/row.ts';
import { requestOf, type SessionDependencies } from './session-bodies.ts';
import { groupOf } from './session-totals.ts';

/** Total size of bodies in a form. */
export interface FormTotal {
  name: string;
  size: number;
  gzip: number;
  /** Number of bodies that the form cannot represent; they count with their current size. */
  unsupported: number;
}

/** Totals of one address and format: current, and in each form. */
export interface WhatIfTotal {
  address: string;
  format: string;
  count: number;
  size: number;
  gzip: number;
  /** Transferred bytes. */
  transferred: number;
  forms: FormTotal[];
}

/** Adds a body to the totals of its address and format. */
export function addBody(totals: readonly WhatIfTotal[], row: Row, body: KeptBody, sizes: readonly FormSize[]): WhatIfTotal[] {
  const { address, format } = groupOf(row);
  const own = totals.find((total) => total.address === address && total.format === format);
  const before = own ?? { address, format, count: 0, size: 0, gzip: 0, transferred: 0, forms: [] };
  const added: WhatIfTotal = {
    address,
    format,
    count: before.count + 1,
    size: before.size + body.size,
    gzip: before.gzip + body.gzip,
    transferred: before.transferred + Math.max(0, row.exchange.transferred),
    forms: sizes.map(({ name, size, gzip }, index) => {
      const form = before.forms[index] ?? { name, size: 0, gzip: 0, unsupported: 0 };
      const fits = size !== undefined;
      return {
        name,
        size: form.size + (fits ? size : body.size),
        gzip: form.gzip + (fits ? gzip : body.gzip),
        unsupported: form.unsupported + (fits ? 0 : 1),
      };
    }),
  };
  return [...totals.filter((total) => total !== own), added].toSorted((a, b) => b.size - a.size);
}

/** Sum over all addresses and formats; undefined without any. */
export function sumOf(totals: readonly WhatIfTotal[]): WhatIfTotal | undefined {
  return totals.reduce<WhatIfTotal | undefined>(
    (sum, total) =>
      sum
        ? {
            ...sum,
            count: sum.count + total.count,
            size: sum.size + total.size,
            gzip: sum.gzip + total.gzip,
            transferred: sum.transferred + total.transferred,
            forms: sum.forms.map((form, index) => {
              const { size, gzip, unsupported } = total.forms[index]!;
              return { name: form.name, size: form.size + size, gzip: form.gzip + gzip, unsupported: form.unsupported + unsupported };
            }),
          }
        : { ...total, address: '', format: '' },
    undefined,
  );
}

/** Sizes the bodies of the session in every format. */
export class SessionWhatIf {
  readonly totals = signal<readonly WhatIfTotal[]>([]);
  /** Bodies tried so far; undefined before the first run. */
  readonly progress = signal<{ done: number; all: number } | undefined>(undefined);
  readonly isRunning = signal(false);
  /** Number of skipped bodies: missing, of unknown format, or without a schema. */
  readonly left = signal(0);
  /** Form shown in the table of addresses. */
  readonly form = signal<string | undefined>(undefined);
  readonly #dependencies: SessionDependencies;
  #run = new AbortController();

  constructor(dependencies: SessionDependencies) {
    this.#dependencies = dependencies;
  }

  /** Tries every form on every body. A new run replaces the current one. */
  async run(): Promise<void> {
    this.#run.abort();
    const { signal: stopped } = (this.#run = new AbortController());
    const rows = this.#dependencies.requests.rows.value.filter(
      ({ exchange }) => exchange.method !== 'FILE' && mayBeData(exchange) && !exchange.messages && !isEmpty(exchange),
    );
    this.totals.value = [];
    this.left.value = 0;
    this.isRunning.value = true;
    for (const [done, row] of rows.entries()) {
      this.progress.value = { done, all: rows.length };
      const isAdded = await this.#tryRow(row, stopped).catch(() => false);
      if (stopped.aborted) return;
      if (!isAdded) this.left.value += 1;
    }
    this.progress.value = { done: rows.length, all: rows.length };
    this.isRunning.value = false;
  }

  /** Stops the run and keeps its results. */
  stop(): void {
    this.#run.abort();
    this.isRunning.value = false;
  }

  async #tryRow(row: Row, stopped: AbortSignal): Promise<boolean> {
    const { client } = this.#dependencies;
    const options = { signal: stopped, isBackground: true };
    const request = await requestOf(this.#dependencies, row);
    if (!request || stopped.aborted) return false;
    const body = await client.call('sizeStart', request, options);
    const sizes: FormSize[] = [];
    for (let index = 0; index < body.forms; index += 1) sizes.push(await client.call('sizeForm', { index }, options));
    if (!stopped.aborted) this.totals.value = addBody(this.totals.value, row, body, sizes);
    return true;
  }
}

function isEmpty({ status }: Row['exchange']): boolean {
  return status === 204 || status === 304;
}
