// The module of what the worker's own file reads.
import { powers, powersAreFilled } from "./number";

export { contextAddress, enterEntries, freeAddress } from "./driver";
export { json } from "./json";
export { jsonItems } from "./json-items";
export { messagepack, messagepackRecords } from "./messagepack";
export { messagepackItems } from "./messagepack-items";
export { powersAreFilled };

export function powersAddress(): usize {
  return powers;
}
