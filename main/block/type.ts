import type { FormatId } from '../../core/formats/registry.ts';

/** The media type of a serialised block (`core/block/block-file.ts`); its parameter `format` names what it was decoded from. */
export const BLOCK_TYPE = 'application/vnd.unspool.block';
/** The media type of a block whose parts follow as they are decoded (`part-stream.ts`). */
export const STREAM_TYPE = 'application/vnd.unspool.parts';
/** A header of a serialised block in a cache: its name, which no other has. The page then reads it there by itself. */
export const KEPT_HEADER = 'unspool-kept';

/** What a response of a service worker carries in the place of the payload. */
export interface BlockType {
  form: 'block' | 'stream';
  format: string;
  /** Of the layout; see `core/block/block.ts`. */
  version: number;
  /** Of the origin whose service worker made the block; see `key.ts`. */
  key: string;
}

/** The `Content-Type` of a block. */
export function formatBlockType(form: 'block' | 'stream', format: FormatId, version: number, key: string): string {
  return `${form === 'block' ? BLOCK_TYPE : STREAM_TYPE}; format=${format}; version=${version}; key=${key}`;
}

/** What the `Content-Type` of a block says; undefined where it is none. Any server can say the same, but for the key. */
export function parseBlockType(contentType: string | null | undefined): BlockType | undefined {
  const found = /^application\/vnd\.unspool\.(block|parts); format=(\w+); version=(\d+); key=([0-9a-f]+)$/.exec(contentType ?? '');
  if (!found) return undefined;
  return { form: found[1] === 'block' ? 'block' : 'stream', format: found[2]!, version: Number(found[3]), key: found[4]! };
}
