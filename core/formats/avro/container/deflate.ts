// Exported by name, so that bundlers can drop the rest of fflate.
export { Inflate } from 'fflate';
