import type { Format } from '../format.ts';
import { KERNEL } from './kernel.ts';
import { SiaReader } from './reader.ts';
import { reviveSia } from './revive.ts';
import type { SiaOptions } from './options.ts';

export type { SiaOptions } from './options.ts';

export { createRevive, SiaConstructed } from './revive.ts';

/**
 * Sia v1, as the npm package `sializer` 0.2.0 defines it: its table of types, and what its specs.md says of each. A
 * constructor is the tag `sia:constructor` with the inner value `[code, arguments]`.
 */
const sia: Format<SiaOptions> = {
  createReader: (sink, options, limits) => new SiaReader(sink, options, limits),
  kernel: KERNEL,
  revive: reviveSia,
};

export default sia;
