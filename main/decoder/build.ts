/** What builds results from the parts of a block. Loaded while the first worker starts. */
export { Materialiser } from '../materialise/index.ts';
export { fullRevive } from './revive.ts';
