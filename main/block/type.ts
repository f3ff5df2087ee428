import type { FormatId } from '../../core/format/format-id.ts';

/**
 * Media type of a serialised block (`core/block/block-file.ts`). Its parameter `format` names the format of the decoded
 * payload.
 */
export const BLOCK_TYPE = 'application/vnd.unspool.block';
/** Media type of a block whose parts follow as they are decoded (`part-stream.ts`). */
export const STREAM_TYPE = 'application/vnd.unspool.parts';
/** Header with the unique name of a serialised block in a cache, which lets the page read it from there. */
export const KEPT_HEADER = 'unspool-kept';

/** Type of a service worker's response that replaces the payload. */
export interface BlockType {
  form: 'block' | 'stream';
  format: string;
  /** Version of the layout; see `core/block/block.ts`. */
  version: number;
  /** Key of the origin whose service worker made the block; see `key.ts`. */
  key: string;
}

/** Formats the `Content-Type` of a block. */
export function formatBlockType(form: 'block' | 'stream', format: FormatId, version: number, key: string): string {
  return `${form === 'block' ? BLOCK_TYPE : STREAM_TYPE}; format=${format}; version=${version}; key=${key}`;
}

/** Parses the `Content-Type` of a block; undefined for other types. Any server can send all of it except a valid key. */
export function parseBlockType(contentType: string | null | undefined): BlockType | undefined {
  const found = /^application\/vnd\.unspool\.(block|parts); format=(\w+); version=(\d+); key=([0-9a-f]+)$/.exec(contentType ?? '');
  if (!found) return undefined;
  return { form: found[1] === 'block' ? 'block' : 'stream', format: found[2]!, version: Number(found[3]), key: found[4]! };
}
