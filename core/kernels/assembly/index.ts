// The module of what the worker's own file reads.
import { powers, powersAreFilled } from "./number";

export { contextAddress, enterEntries, freeAddress } from "./driver";
export { json } from "./formats/json";
export { jsonItems } from "./formats/json-items";
export { messagepack, messagepackRecords } from "./formats/messagepack";
export { messagepackItems } from "./formats/messagepack-items";
export { powersAreFilled };

export function powersAddress(): usize {
  return powers;
}
