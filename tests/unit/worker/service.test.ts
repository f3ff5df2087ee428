import { Packr } from 'msgpackr';
import { afterAll, describe, expect, test } from 'vitest';
import { Materialiser } from '../../../main/rows/materialise.ts';
import { reviveCore } from '../../../core/reading/revive.ts';
import { resolveLimits } from '../../../core/limits.ts';
import type { DecodeJob, Outcome, ToPage, ToWorker } from '../../../worker/protocol.ts';
import { loadFile } from '../../../worker/code.ts';
import { DecodeService } from '../../../worker/decode-service.ts';
import { hurryClock } from '../../setup/stand-ins/clock.ts';

const service = new DecodeService(loadFile);
afterAll(() => service.close());

const packr = new Packr({ useRecords: false });
const pack = (value: unknown): Uint8Array<ArrayBuffer> => new Uint8Array(packr.pack(value));
const job: DecodeJob = { format: 'messagepack', options: {}, schema: undefined, limits: resolveLimits() };

/** Collects the messages of a decode up to its outcome. */
async function receive(port: MessagePort, heard?: (message: ToPage) => void): Promise<{ parts: ArrayBuffer[]; outcome: Outcome }> {
  const parts: ArrayBuffer[] = [];
  return await new Promise((resolve) => {
    port.onmessage = ({ data }: MessageEvent<ToPage>) => {
      heard?.(data);
      if (data.kind === 'part') parts.push(data.part);
      else if (data.kind === 'outcome') {
        port.close();
        resolve({ parts, outcome: data });
      }
    };
  });
}

/** Begins a decode and returns the page's end of its port. */
function begin(job: DecodeJob, bytes?: Uint8Array<ArrayBuffer>): MessagePort {
  const { port1, port2 } = new MessageChannel();
  service.decode(job, port2, bytes);
  return port1;
}

const tell = (port: MessagePort, message: ToWorker): void => port.postMessage(message);

async function materialise(parts: ArrayBuffer[]): Promise<unknown> {
  const materialiser = new Materialiser({ as: 'objects', revive: reviveCore });
  for (const part of parts) materialiser.push(part);
  return await materialiser.done();
}

describe('worker service', () => {
  test('sends the parts of a result, then its figures', async () => {
    const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, name: `row ${id}` }));
    const bytes = pack(rows);
    hurryClock();
    const { parts, outcome } = await receive(begin(job, bytes));
    expect(parts.length).toBeGreaterThan(1);
    expect(await materialise(parts)).toEqual(rows);
    const { stats } = outcome;
    expect(stats).toMatchObject({ bytes: bytes.length, parts: parts.length });
    expect(stats!.blockBytes).toBe(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
    expect(stats!.decodeMs).toBeGreaterThan(0);
    expect(stats!.sent).toBeGreaterThan(stats!.arrived);
  });

  test('takes the input in chunks, and reports how many it has taken', async () => {
    const value = { list: Array.from({ length: 1_000 }, (_, index) => `text ${index}`) };
    const bytes = pack(value);
    for (const size of [1, 7, 1_000, bytes.length]) {
      const port = begin(job);
      let taken = 0;
      const received = receive(port, (message) => {
        if (message.kind === 'taken') taken += message.chunks;
      });
      let sent = 0;
      for (let at = 0; at < bytes.length; at += size) {
        tell(port, { kind: 'chunk', bytes: bytes.slice(at, at + size) });
        sent += 1;
      }
      tell(port, { kind: 'end' });
      const { parts } = await received;
      expect(await materialise(parts)).toEqual(value);
      expect(taken).toBeLessThanOrEqual(sent);
    }
  });

  test('reports each chunk that it takes while it waits for more', async () => {
    const bytes = pack(['first', 'second']);
    const port = begin(job);
    await new Promise<void>((resolve) => {
      let left = bytes.length - 1;
      void receive(port, (message) => {
        if (message.kind === 'taken' && (left -= message.chunks) === 0) resolve();
      });
      for (const byte of bytes.subarray(0, -1)) tell(port, { kind: 'chunk', bytes: new Uint8Array([byte]) });
    });
    tell(port, { kind: 'cancel' });
  });

  test.each([
    [pack([1]).subarray(0, 0), { name: 'DecodeError', code: 'empty' }],
    [new Uint8Array([0x92, 0x01, 0xc1]), { name: 'DecodeError', code: 'malformed', offset: 2, path: [1] }],
    [new Uint8Array([0x92, 0x01]), { name: 'DecodeError', code: 'truncated' }],
    [new Uint8Array(2_000).fill(0x91), { name: 'LimitError', limit: 'depth' }],
    [new TextEncoder().encode('<!doctype html>'), { name: 'DecodeError', code: 'malformed', offset: 0 }],
  ])('sends an error as plain data: case %#', async (bytes, error) => {
    const { outcome } = await receive(begin(job, bytes));
    expect(outcome.error).toMatchObject({ ...error, format: 'messagepack' });
    expect(structuredClone(outcome)).toEqual(outcome);
  });

  test('accepts an empty payload if the format allows it', async () => {
    service.registerCode('protobuf', new URL('../../../core/formats/protobuf/index.ts', import.meta.url).href);
    const { parts, outcome } = await receive(begin({ ...job, format: 'protobuf', options: { schemaless: true } }, new Uint8Array()));
    expect(outcome.error).toBeUndefined();
    expect(await materialise(parts)).toEqual([]);
  });

  test('reports format code that fails to load, and retries for the next job', async () => {
    const cbor = { ...job, format: 'cbor' } as const;
    service.registerCode('cbor', new URL('absent.ts', import.meta.url).href);
    const failed = await receive(begin(cbor, Uint8Array.of(1)));
    expect(failed.outcome.error).toMatchObject({
      name: 'WorkerCrashError',
      reason: expect.stringContaining('the code of cbor could not be loaded') as string,
    });

    service.registerCode('cbor', new URL('../../../core/formats/cbor/index.ts', import.meta.url).href);
    const { parts, outcome } = await receive(begin(cbor, Uint8Array.of(1)));
    expect(outcome.error).toBeUndefined();
    expect(await materialise(parts)).toBe(1);
  });

  test('rejects a format for which the page registered no file', async () => {
    const { outcome } = await receive(begin({ ...job, format: 'xml' as never }, pack(1)));
    expect(outcome.error).toMatchObject({
      name: 'WorkerCrashError',
      reason: expect.stringContaining('the code of xml could not be loaded') as string,
    });
  });

  test('stops while it waits for input', async () => {
    const port = begin(job);
    const received = receive(port);
    tell(port, { kind: 'chunk', bytes: new Uint8Array([0x92]) });
    tell(port, { kind: 'cancel' });
    expect((await received).outcome.error?.name).toBe('AbortError');
  });

  test('takes no lock if none is available', async () => {
    expect(await service.start(undefined)).toBe(false);
    expect(service.ping()).toBeUndefined();
  });
});
