import { expect, test } from 'vitest';
import type { Format } from '../../core/format/format.ts';
import type { FormatWriter } from '../../core/writing/writer.ts';
import { assertSame, decodeWith } from '../setup/ways/differential.ts';
import { encodeWith } from '../setup/ways/encode-with.ts';
import { openFolder } from '../setup/servers/folders.ts';
import { hex, toHex } from '../setup/values/hex.ts';

const fixtures = (await openFolder('fixtures', 'witnesses'))!;

/** Options for reading the bytes of a reference implementation without loss. */
const formats: [id: string, load: () => Promise<[{ default: Format<never> }, { default: FormatWriter<never> }]>, options: object][] = [
  [
    'messagepack',
    async () => [await import('../../core/formats/messagepack/index.ts'), await import('../../core/formats/messagepack/writer.ts')],
    {},
  ],
  ['cbor', async () => [await import('../../core/formats/cbor/index.ts'), await import('../../core/formats/cbor/writer.ts')], {}],
  ['bson', async () => [await import('../../core/formats/bson/index.ts'), await import('../../core/formats/bson/writer.ts')], { types: 'canonical' }],
];

// Integer keys in another order, and integral floats, change the bytes.
test.for(formats)(
  'nearly all bytes of the witness for %s are written of the values in them, and all values are read back',
  async ([id, load, options]) => {
    const [{ default: format }, { default: writer }] = await load();
    const [first, ...lines] = (await fixtures.text(`${id}.jsonl`)).trim().split('\n');
    const header = JSON.parse(first!) as { options: object };
    const readable = lines
      .map((line) => JSON.parse(line) as { hex: string; error?: true; options?: object })
      .filter(({ error }) => error === undefined);
    let same = 0;
    for (const item of readable) {
      const setting = { options: { ...header.options, ...item.options, ...options } };
      const value = decodeWith(format, hex(item.hex), setting);
      const bytes = encodeWith(writer, value, { options });
      assertSame(decodeWith(format, bytes, setting), value);
      if (toHex(bytes) === item.hex) same += 1;
    }
    expect(same / readable.length).toBeGreaterThan(0.9);
  },
);
