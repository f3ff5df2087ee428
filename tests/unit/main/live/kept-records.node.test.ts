import { Encoder as CborXEncoder } from 'cbor-x';
import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { createDecoder } from '../../../../main/decoder/create-decoder.ts';
import { createEncoder, type EncodeOptions, type MessageSocket } from '../../../../main/encode.ts';
import type { MessageOptions } from '../../../../main/live/messages.ts';
import { encodeSync } from '../../../../main/sync.ts';
import cbor from '../../../../core/formats/cbor/writer.ts';
import { KEPT } from '../../../../core/kept-records.ts';
import { resolveLimits } from '../../../../core/limits.ts';
import messagepack from '../../../../core/formats/messagepack/writer.ts';
import { localWorker } from '../../../setup/stand-ins/local-workers.ts';

const decoder = createDecoder();
const VALUES = [{ id: 1, name: 'a' }, { id: 2, name: 'b' }, [{ id: 3, name: 'c' }, { other: [{ id: 4, name: 'd' }] }], { other: null }];

function streamOf<T>(items: Iterable<T>): ReadableStream<T> {
  return new ReadableStream({
    start(controller) {
      for (const item of items) controller.enqueue(item);
      controller.close();
    },
  });
}

/** The values of messages, which arrive one after the other. */
async function read(messages: Iterable<Uint8Array>, options: MessageOptions): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const value of decoder.messages(streamOf(messages), options)) values.push(value);
  return values;
}

const packr = (): ((value: unknown) => Uint8Array) => {
  const packer = new Packr({ sequential: true });
  return (value) => Uint8Array.from(packer.pack(value));
};
const cborX = (): ((value: unknown) => Uint8Array) => {
  const encoder = new CborXEncoder({ useRecords: true, sequential: true });
  return (value) => Uint8Array.from(encoder.encode(value));
};

describe('messages with records that earlier ones define', () => {
  test.each([
    ['msgpackr', 'messagepack' as const, packr],
    ['cbor-x', 'cbor' as const, cborX],
  ])('are decoded with keepRecords, from %s', async (_, format, writer) => {
    expect(await read(VALUES.map(writer()), { format, keepRecords: true })).toEqual(VALUES);
    const long = Array.from({ length: 5_000 }, (_, id) => ({ id, name: 'n'.repeat(id % 9) }));
    expect(await read([VALUES[0], long, long].map(writer()), { format, keepRecords: true })).toEqual([VALUES[0], long, long]);
    const rows = await read([long, long].map(writer()), { format, keepRecords: true, as: 'rows' });
    expect(rows.map((list) => [...(list as Iterable<unknown>)])).toEqual([long, long]);
  });

  test('keep the definitions of messages that are invalid', async () => {
    const write = cborX();
    const [first, second] = [write([VALUES[0], 'end']), write([VALUES[1]])];
    const errors: unknown[] = [];
    const given = await read([first.subarray(0, -1), second], { format: 'cbor', keepRecords: true, onError: (error) => errors.push(error) });
    expect(given).toEqual([[VALUES[1]]]);
    expect(errors).toMatchObject([{ code: 'truncated' }]);
  });

  test('are an error that names the option without it, and with it if no message defines them', async () => {
    const [, second] = VALUES.map(cborX());
    await expect(read([second!], { format: 'cbor' })).rejects.toMatchObject({
      code: 'malformed',
      message: expect.stringContaining('record 57344 of cbor-x is not defined; if earlier messages define it (sequential: true), set keepRecords'),
    });
    await expect(read([second!], { format: 'cbor', keepRecords: true })).rejects.toThrow('record 57344 of cbor-x is not defined');
    await expect(read([Uint8Array.of(0x92, 0x40, 1, 2)], { format: 'messagepack' })).rejects.toMatchObject({
      code: 'trailing-bytes',
      message: expect.stringContaining('if earlier messages define records (sequential: true), set keepRecords'),
    });
  });

  test.each(['objects', 'rows', 'columns'] as const)('are an error that names the option in a worker, too, as %s', async (as) => {
    const inWorkers = createDecoder({ createWorker: localWorker, route: 'worker', syncBelow: 0 });
    const long = Array.from({ length: 5_000 }, (_, id) => ({ id, name: 'n'.repeat(id % 9) }));
    for (const [format, write] of [
      ['cbor', cborX()],
      ['messagepack', packr()],
    ] as const) {
      const [, second] = [write(long), write(long)];
      const errors: unknown[] = [];
      const given = inWorkers.messages(streamOf([second]), { format, as, onError: (error) => errors.push(error) });
      for await (const value of given) expect.unreachable(JSON.stringify(value).slice(0, 200));
      expect(errors).toMatchObject([{ message: expect.stringContaining('(sequential: true), set keepRecords') }]);
      // Outside a connection, they are tags of the application, or trailing bytes.
      if (format === 'cbor') expect(await inWorkers.decode(second.slice(), { format })).toHaveLength(5_000);
      else await expect(inWorkers.decode(second.slice(), { format })).rejects.not.toThrow('keepRecords');
    }
    inWorkers.close();
  });

  test('leave tags of the application as they are', async () => {
    expect(await read([Uint8Array.of(0xd9, 0xe0, 0x00, 0x01)], { format: 'cbor' })).toMatchObject([{ tag: 0xe000, value: 1 }]);
    const asTags = { cborx: false };
    expect(await read([Uint8Array.of(0xd9, 0xe0, 0x00, 0x80)], { format: 'cbor', options: asTags })).toMatchObject([{ tag: 0xe000, value: [] }]);
  });

  test.each(['latest', 'drop'] as const)('are refused with the policy %s, which may leave definitions out', async (policy) => {
    await expect(read([], { format: 'cbor', keepRecords: true, policy })).rejects.toThrow('invalid option keepRecords');
  });
});

describe.each(['messagepack', 'cbor'] as const)('keepRecords of the %s encoder', (format) => {
  const options = { records: true, keepRecords: true };
  const setting = { format, options } as EncodeOptions;
  const readKept = (messages: Iterable<Uint8Array>): Promise<unknown[]> => read(messages, { format, keepRecords: true });
  /** True if a message defines records. */
  const defines = (bytes: Uint8Array): boolean => Buffer.from(bytes).includes('name');

  test('writes structures once for all encodes of an encoder', async () => {
    const encoder = createEncoder();
    const messages: Uint8Array[] = [];
    for (const value of VALUES) messages.push(await encoder.encode(value, { ...setting, options: { ...options } } as EncodeOptions));
    expect(messages.map(defines)).toEqual([true, false, false, false]);
    expect(await readKept(messages)).toEqual(VALUES);
    expect(defines(await createEncoder().encode(VALUES[0], setting))).toBe(true);
  });

  test('writes them once for all encodes with the options of an encoder', async () => {
    const encoder = createEncoder({ formatOptions: { [format]: options } });
    const messages: Uint8Array[] = [];
    for (const value of VALUES) messages.push(await encoder.encode(value, { format }));
    expect(messages.map(defines)).toEqual([true, false, false, false]);
  });

  test('writes them once for each stream of messages, and for each socket', async () => {
    const encoder = createEncoder();
    const all: Uint8Array[][] = [];
    for (let count = 0; count < 2; count += 1) {
      const stream = streamOf(VALUES).pipeThrough(encoder.messages(setting));
      const messages: Uint8Array[] = [];
      for await (const message of stream) messages.push(message as Uint8Array);
      all.push(messages);
    }
    const sockets = [0, 1].map(() => {
      const sent: Uint8Array[] = [];
      all.push(sent);
      const socket = Object.assign(new EventTarget(), { readyState: 1, bufferedAmount: 0, send: (data: Uint8Array) => sent.push(data) });
      return socket as unknown as MessageSocket;
    });
    await Promise.all(VALUES.flatMap((value) => sockets.map((socket) => encoder.send(socket, value, setting))));
    for (const messages of all) {
      expect(messages.map(defines)).toEqual([true, false, false, false]);
      expect(await readKept(messages)).toEqual(VALUES);
    }
  });

  test('writes them once for encodeSync with the same object of options', async () => {
    const writer = (format === 'cbor' ? cbor : messagepack) as typeof cbor;
    const messages = VALUES.map((value) => encodeSync(writer, value, { options }));
    expect(messages.slice(1).some(defines)).toBe(false);
    expect(defines(encodeSync(writer, VALUES[0], { options: { ...options } }))).toBe(true);
  });

  test('defines them again after an encode that failed', async () => {
    const encoder = createEncoder();
    await expect(encoder.encode([VALUES[0], Symbol('none')], setting)).rejects.toThrow('a symbol');
    expect(defines(await encoder.encode(VALUES[1], setting))).toBe(true);
    expect(defines(await encoder.encode(VALUES[1], setting))).toBe(false);
  });

  test('rejects an encode that another one interrupts', () => {
    const writer = (format === 'cbor' ? cbor : messagepack) as typeof cbor;
    const [interrupted, other] = [0, 1].map(() =>
      writer.createWriter({ ...options, sequence: true, [KEPT]: options } as object, resolveLimits(), undefined).session(),
    );
    interrupted!.add([VALUES[0]]);
    interrupted!.run();
    other!.write([VALUES[1]]).run();
    interrupted!.add([VALUES[1]]);
    expect(() => interrupted!.run()).toThrow('another encode with keepRecords has begun: await each before the next one');
  });
});
