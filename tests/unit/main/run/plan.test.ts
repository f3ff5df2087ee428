import { describe, expect, it, vi } from 'vitest';
import { CORE } from '../../../../main/call/decoder-state.ts';
import { Decoder } from '../../../../main/decoder/decoder.ts';
import { newReport } from '../../../../main/call/observe.ts';
import { Operation } from '../../../../main/call/operation.ts';
import type { DecodeOptions } from '../../../../main/call/options/options.ts';
import { type Plan, planBySize, planDecode, SMALL } from '../../../../main/run/plan.ts';
import { prepare } from '../../../../main/call/prepare.ts';
import { openBytes, type Payload } from '../../../../main/call/input/payload.ts';

const json = (length: number): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(Array.from({ length }, (_, id) => ({ id }))));
const FEW = json(10);
const SOME = json(20_000);
const MANY = json(300_000);

/** A decoder that may create workers, but has none yet. */
const decoder = new Decoder({}, vi.fn<() => Worker>());
const withWorkers = new Decoder({ createWorker: vi.fn<() => Worker>() }, vi.fn<() => Worker>());

async function planOf(bytes: Uint8Array<ArrayBuffer>, options: DecodeOptions = {}, more: Partial<Payload> = {}, by = withWorkers): Promise<Plan> {
  const core = by[CORE];
  const prepared = prepare(core, bytes, { format: 'json', ...options } as DecodeOptions, bytes);
  return await planDecode(core, new Operation(newReport(options), {}, () => {}), prepared, { ...openBytes(bytes, options), ...more }, options);
}

describe('the plan', () => {
  it('decodes a small payload at once, in any form, unless a worker is asked for', async () => {
    for (const as of ['objects', 'rows', 'columns'] as const) expect(await planOf(FEW, { as })).toBe(SMALL);
    expect(await planOf(FEW, { route: 'page' })).toBe(SMALL);
    expect(await planOf(FEW, { route: 'worker' })).toEqual({ where: 'worker', why: 'asked for' });
  });

  it('decodes JSON at once if the engine parses it in milliseconds', async () => {
    expect(await planOf(SOME)).toMatchObject({ where: 'at once' });
    expect(await planOf(SOME, { route: 'page', as: 'rows' })).toEqual({ where: 'at once', why: 'asked for' });
    expect(await planOf(MANY, { route: 'page' })).toEqual({ where: 'in slices', why: 'asked for' });
  });

  it('decodes in slices what the engine does not parse as one value', async () => {
    expect(await planOf(SOME, { options: { sequence: true } })).toMatchObject({ where: 'in slices' });
    expect(await planOf(SOME, { route: 'page', options: { bigints: 'bigint' } })).toMatchObject({ where: 'in slices' });
  });

  it('decodes in slices a payload whose bytes have not all arrived, however small it is', async () => {
    const input = { size: FEW.length } as Payload['input'];
    expect(await planOf(FEW, {}, { input })).toEqual({ where: 'in slices', why: 'small' });
    expect(await planOf(SOME, {}, { input: { size: SOME.length } as Payload['input'] })).toMatchObject({ where: 'in slices' });
  });

  it('names no worker where none can be created, and refuses to be told so', async () => {
    expect(await planOf(MANY, { as: 'rows' }, {}, decoder)).toEqual({ where: 'in slices', why: 'no worker here can decode it' });
    await expect(planOf(FEW, { route: 'worker' }, {}, decoder)).rejects.toThrow('there are no workers here');
    await expect(planOf(MANY, { route: 'worker' }, {}, decoder)).rejects.toThrow(TypeError);
  });

  it('leaves the choice to the records if the size does not decide', () => {
    const core = withWorkers[CORE];
    const prepared = prepare(core, FEW, { format: 'messagepack' }, FEW);
    expect(planBySize(core, prepared, {}, 1_000_000, true)).toBeUndefined();
    expect(planBySize(core, prepared, {}, undefined, true)).toBeUndefined();
  });
});
