// The module of what the worker's own file reads.
import { powers, powersAreFilled } from "./number";

export { contextAddress, enterEntries, freeAddress } from "./driver";
export { json } from "./json";
export { messagepack, messagepackRecords } from "./messagepack";
export { powersAreFilled };

export function powersAddress(): usize {
  return powers;
}
