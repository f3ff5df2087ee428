import type { JsonWriteOptions } from './json/options.ts';
import json from './json/writer.ts';
import messagepack from './messagepack/writer.ts';
import type { AnyFormatWriter } from './writer.ts';

/** The options of each format that can be written, by its id. */
export interface WriteOptions {
  json: JsonWriteOptions;
  messagepack: object;
}

/** The id of a format that can be written. */
export type WritableFormatId = keyof WriteOptions;

/** The code that writes each format. What pages send most is there from the start. */
const LOADERS: Readonly<Record<WritableFormatId, () => Promise<{ default: AnyFormatWriter }>>> = {
  json: async () => ({ default: json }),
  messagepack: async () => ({ default: messagepack }),
};

/** The ids of the formats that can be written. */
export const WRITABLE = Object.keys(LOADERS) as readonly WritableFormatId[];

/** Loads the code that writes a format. */
export async function loadWriter(id: WritableFormatId): Promise<AnyFormatWriter> {
  return (await LOADERS[id]()).default;
}
