import { CborReader } from './reader.ts';
import { KERNEL } from './kernel.ts';
import { reviveCbor } from './revive.ts';
import type { Format } from '../../format/format.ts';
import { READ_OPTIONS, type CborOptions } from './options.ts';

export type { CborOptions } from './options.ts';

export type { PackedValues } from './tags/packed.ts';
export { CborSimple, CborTag, createReviveTag } from './revive.ts';

const text = (value: string): number[] => [0x60 | value.length, ...new TextEncoder().encode(value)];
const half = [0xfb, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0];
const record = [0xa4, ...text('id'), 1, ...text('name'), ...text('a name'), ...text('at'), 0x81, ...half, ...text('note'), 0xf6];

/**
 * CBOR (RFC 8949), with the tags of RFC 8746 and RFC 8943 and those that cbor2 and cbor-x write. An unknown tag becomes
 * the tag `cbor:tag` with the inner value `[tag, content]`; an unknown simple value becomes `cbor:simple` with its
 * number.
 */
const cbor: Format<CborOptions> = {
  options: READ_OPTIONS,
  id: 'cbor',
  createReader: (sink, options, limits) => new CborReader(sink, options, limits),
  kernel: KERNEL,
  revive: reviveCbor,
  warmUp: () => Uint8Array.of(0x98, 250, ...Array.from({ length: 250 }, () => record).flat()),
};

export default cbor;
