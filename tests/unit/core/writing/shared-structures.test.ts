import { describe, expect, it } from 'vitest';
import cbor from '../../../../core/formats/cbor/index.ts';
import cborEncoder from '../../../../core/formats/cbor/writer.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import messagepackEncoder from '../../../../core/formats/messagepack/writer.ts';
import { joined } from '../../../../core/bytes/byte-input.ts';
import { resolveLimits } from '../../../../core/limits.ts';
import type { EncodeSession } from '../../../../core/writing/encode.ts';
import type { RecordOptions } from '../../../../core/writing/record-ids.ts';
import type { FormatWriter } from '../../../../core/writing/writer.ts';
import { decodeWith } from '../../../setup/ways/differential.ts';
import { encodeWith } from '../../../setup/ways/encode-with.ts';

type List = readonly (readonly string[])[];

const FORMATS = [
  { name: 'MessagePack', format: messagepack, encoder: messagepackEncoder },
  { name: 'CBOR', format: cbor, encoder: cborEncoder },
];

const PEOPLE = [{ name: 'ann', role: 'admin' }, { name: 'bob', role: 'user' }, { city: 'Oslo' }];
const ITEMS = [{ article: 'tea', price: 3 }, { name: 'bob', role: 'none' }, { size: 1 }];

function sessionOf(encoder: unknown, value: unknown, options: object): EncodeSession {
  return (encoder as FormatWriter)
    .createWriter(options, resolveLimits({}), undefined)
    .session('format', () => true, 1)
    .write(value);
}

/** Writes values a slice of each at a time. */
function encodeTogether(sessions: EncodeSession[]): Uint8Array[] {
  const chunks = sessions.map((): Uint8Array<ArrayBuffer>[] => []);
  while (!sessions.every((session) => session.isWhole)) {
    for (const [index, session] of sessions.entries()) {
      session.run();
      chunks[index]!.push(...session.take().map((bytes) => bytes.slice()));
    }
  }
  return chunks.map((parts) => joined(parts));
}

describe.each(FORMATS)('structures that two encodes of $name share', ({ format, encoder }) => {
  const read = (bytes: Uint8Array, structures: List): unknown => decodeWith(format, bytes, { options: { structures } });

  function expectBoth(first: RecordOptions, second: RecordOptions, saved: () => List): void {
    const bytes = encodeTogether([sessionOf(encoder, PEOPLE, { records: true, ...first }), sessionOf(encoder, ITEMS, { records: true, ...second })]);
    expect(saved().map((keys) => keys.join())).toEqual(['name,role', 'article,price', 'city', 'size']);
    expect(bytes.map((one) => read(one, saved()))).toEqual([PEOPLE, ITEMS]);
  }

  it('are all saved if both are written at once', () => {
    let stored: List = [];
    const options: RecordOptions = { getStructures: () => stored, saveStructures: (list) => void (stored = structuredClone(list)) };
    expectBoth(options, options, () => stored);
    // Another function of the same store.
    expect(
      read(
        encodeWith(encoder, [{ size: 2 }, { x: 1 }], { options: { records: true, ...options, saveStructures: (list: List) => (stored = list) } }),
        stored,
      ),
    ).toEqual([{ size: 2 }, { x: 1 }]);
    expect(stored).toHaveLength(5);
  });

  it('are all saved if the store is loaded and saved by other functions each time', () => {
    let stored: List = [];
    const options = (): RecordOptions => ({
      getStructures: () => structuredClone(stored),
      saveStructures: (list) => (stored = structuredClone(list)),
    });
    expectBoth(options(), options(), () => stored);
  });

  it('are all saved without a function that loads them, also one encode after the other', () => {
    let stored: List = [];
    const options: RecordOptions = { saveStructures: (list) => void (stored = list) };
    expectBoth(options, options, () => stored);
    expect(read(encodeWith(encoder, [{ size: 2 }, { x: 1 }], { options: { records: true, ...options } }), stored)).toEqual([{ size: 2 }, { x: 1 }]);
    expect(stored).toHaveLength(5);
  });

  it('are all saved if the store takes a while', async () => {
    let stored: List = [];
    const saves: Promise<void>[] = [];
    const saveStructures = (list: List): Promise<void> => {
      const saving = Promise.resolve().then(() => void (stored = list));
      saves.push(saving);
      return saving;
    };
    const options: RecordOptions = { records: true, getStructures: () => stored, saveStructures };
    const bytes = encodeTogether([sessionOf(encoder, PEOPLE, options), sessionOf(encoder, ITEMS, options)]);
    await Promise.all(saves);
    expect(stored).toHaveLength(4);
    expect(bytes.map((one) => read(one, stored))).toEqual([PEOPLE, ITEMS]);
  });

  it('are appended once to a list in memory', () => {
    const structures: string[][] = [];
    expectBoth({ structures }, { structures }, () => structures);
  });

  it('are compared by their contents, so that a store declines a list that replaces others', () => {
    let stored: List = [];
    let outdated: List | undefined;
    const answers: boolean[] = [];
    const options: RecordOptions = {
      getStructures: () => outdated ?? stored,
      saveStructures: (list, isCompatible) => {
        answers.push(isCompatible(stored));
        outdated = undefined;
        if (!answers.at(-1)) return false;
        return (stored = list);
      },
    };
    encodeWith(encoder, { a: 1 }, { options: { records: true, ...options } });
    const first = stored;
    // As long as the list that another process has saved.
    outdated = [['b']];
    expect(() => encodeWith(encoder, { c: 1 }, { options: { records: true, ...options } })).toThrow('the shared structures are others than before');
    expect(answers).toEqual([true, false]);
    expect(stored).toBe(first);
  });

  it('are loaded without being saved, and others are defined in the bytes', () => {
    const stored: List = [['name', 'role']];
    const bytes = encodeWith(encoder, PEOPLE, { options: { records: true, getStructures: () => stored } });
    expect(read(bytes, stored)).toEqual(PEOPLE);
    expect(stored).toHaveLength(1);
    const own = encodeWith(encoder, PEOPLE, { options: { records: true, maxSharedStructures: 4 } });
    expect(read(own, [])).toEqual(PEOPLE);
  });

  it('may be those that an encode has defined in its bytes before, as it has shared them', () => {
    let stored: List = [];
    const options: RecordOptions = {
      records: true,
      maxOwnStructures: 2,
      shouldShareStructure: (keys) => keys[0] !== 'a',
      getStructures: () => stored,
      saveStructures: (list) => void (stored = list),
    };
    const value = [{ a: 1 }, { b: 1 }, { a: 2 }, { c: 1 }, { a: 3 }, { a1: 1 }, { a: 4 }];
    const session = sessionOf(encoder, value, options);
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for (let slice = 0; !session.isWhole; slice += 1) {
      session.run();
      chunks.push(...session.take().map((bytes) => bytes.slice()));
      if (slice === 2) stored = [...stored, ['a']];
    }
    expect(read(joined(chunks), stored)).toEqual(value);
  });
});
