import { joined } from '../../core/bytes/byte-input.ts';
import { DecodeError } from '../../core/errors.ts';
import { looksLikeMarkup } from '../../core/formats/detect.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import { candidates, type FileFormat } from './payload-file.ts';

/** A schema with its format, as `decode` and `encode` take it. */
export interface GivenSchema {
  readonly format: FormatId;
  readonly schema: object;
}

/** A payload to read. */
export interface Payload {
  readonly source: AsyncIterable<Uint8Array>;
  /** Undefined if its bytes are to show it. */
  readonly from: FileFormat | undefined;
  /** Used if it is of the payload's format. */
  readonly schema: GivenSchema | undefined;
}

/**
 * Reads a payload and gives it in another format. While it arrives, if its format is known; otherwise all of it is read first. The
 * schema is used on the side whose format it is of, or on both. Throws the errors of `decode` and `encode`.
 */
export async function converted(payload: Payload, to: FileFormat): Promise<AsyncIterable<Uint8Array>> {
  const { createEncoder } = await import('../encode.ts');
  const { source, from, schema } = payload;
  const writing = { format: to.format, options: to.writing ?? {}, ...schemaFor(to.format, schema) } as { format: 'json' };
  if (from === undefined) return createEncoder().stream(await valueOf(payload), writing);
  const reading = { format: from.format, options: from.reading ?? {}, ...schemaFor(from.format, schema) } as { format: 'json' };
  return createEncoder().transcode(source, { from: reading, to: writing });
}

/** The value of a payload. Throws the error of the likeliest format if it is of none. */
export async function valueOf({ source, from, schema }: Payload): Promise<unknown> {
  const { createDecoder } = await import('../node.ts');
  const decoder = createDecoder();
  const read = (given: DecodeInput, { format, reading = {} }: FileFormat): Promise<unknown> =>
    decoder.decode(given, { format, options: reading, ...schemaFor(format, schema) } as { format: 'json' });
  if (from !== undefined) return await read(source, from);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of source) chunks.push(chunk as Uint8Array<ArrayBuffer>);
  const bytes = joined(chunks);
  if (bytes.length === 0) throw new DecodeError('empty', 'the payload is empty', { offset: 0 });
  if (looksLikeMarkup(bytes)) throw new DecodeError('unknown-format', 'the payload is an HTML or XML document', { offset: 0 });
  const errors: Error[] = [];
  for (const candidate of candidates(bytes)) {
    try {
      return await read(bytes, candidate);
    } catch (error) {
      errors.push(error as Error);
    }
  }
  throw errors[0] ?? new DecodeError('unknown-format', 'the format is not known: add --from with its name', { offset: 0 });
}

type DecodeInput = AsyncIterable<Uint8Array> | Uint8Array;

function schemaFor(format: FormatId, schema: GivenSchema | undefined): { schema?: object } {
  return schema?.format === format ? { schema: schema.schema } : {};
}
