import type { Format } from '../../format/format.ts';
import { KERNEL } from './kernel.ts';
import { SiaReader } from './reader.ts';
import { reviveSia } from './revive.ts';
import { READ_OPTIONS, type SiaOptions } from './options.ts';

export type { SiaOptions } from './options.ts';

export { createReviveTag, SiaConstructed } from './revive.ts';

/**
 * Sia v1 as defined by the npm package `sializer` 0.2.0: its table of types, and their descriptions in its specs.md. A
 * constructor becomes the tag `sia:constructor` with the inner value `[code, arguments]`.
 */
const sia: Format<SiaOptions> = {
  options: READ_OPTIONS,
  createReader: (sink, options, limits) => new SiaReader(sink, options, limits),
  kernel: KERNEL,
  revive: reviveSia,
};

export default sia;
