// The module of the formats bundled with the worker's own file.
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
