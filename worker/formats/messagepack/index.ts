import type { Format } from '../format.ts';
import { MessagePackReader } from './reader.ts';
import { reviveMessagePack } from './revive.ts';
import type { MessagePackOptions } from './options.ts';

export type { MessagePackOptions } from './options.ts';

export { createRevive, MessagePackExtension } from './revive.ts';

/**
 * MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md), and what msgpackr 2 adds to it. An extension of
 * a type that is not known is the tag `messagepack:ext` with the inner value `[type, content]`.
 */
const messagepack: Format<MessagePackOptions> = {
  createReader: (sink, options, limits) => new MessagePackReader(sink, options, limits),
  cutting: () => import('../indexed.ts'),
  revive: reviveMessagePack,
};

export default messagepack;
