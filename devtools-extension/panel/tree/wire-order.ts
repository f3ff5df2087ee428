import { storedSignal } from '../shared/settings.ts';

/** True if trees list the fields of Protocol Buffers in the order of their bytes. */
export const wireOrder = storedSignal('wire-order', false);
