import type { Format } from '../../format/format.ts';
import { MessagePackReader } from './reader.ts';
import { reviveMessagePack } from './revive.ts';
import { READ_OPTIONS, type MessagePackOptions } from './options.ts';

export type { MessagePackOptions } from './options.ts';

export { createReviveTag, MessagePackExtension } from './revive.ts';

const text = (value: string): number[] => [0xa0 | value.length, ...new TextEncoder().encode(value)];
const half = [0xcb, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0];
const record = [0x84, ...text('id'), 1, ...text('name'), ...text('a name'), ...text('at'), 0x91, ...half, ...text('note'), 0xc0];

/**
 * MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md) with the extensions of msgpackr 2. An extension
 * of unknown type becomes the tag `messagepack:ext` with the inner value `[type, content]`.
 */
const messagepack: Format<MessagePackOptions> = {
  options: READ_OPTIONS,
  id: 'messagepack',
  createReader: (sink, options, limits) => new MessagePackReader(sink, options, limits),
  revive: reviveMessagePack,
  warmUp: () => Uint8Array.of(0xdc, 0, 250, ...Array.from({ length: 250 }, () => record).flat()),
};

export default messagepack;
