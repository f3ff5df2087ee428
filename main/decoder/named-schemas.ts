import type { DeepPartial } from '../live/deep-partial.ts';
import type { ChunkSource } from '../live/chunks.ts';
import type { MessageSource } from '../../core/messages/listen.ts';
import type { MessageOptions } from '../live/messages.ts';
import type { PartialDecodeOptions } from '../live/partial.ts';
import type { ResultForm } from '../rows/form.ts';
import type { Batches } from '../streams/batches.ts';
import type { GrowingRows, GrowingRowsOptions } from '../streams/growing-rows.ts';
import type { DecoderRequestInit, DecoderResponse } from './fetch.ts';
import type { BatchOptions, DecodeOptions, DecodeSettings, DecodeSource, FormatChoice } from '../call/options/options.ts';
import type { ResultAs, RowsOf } from '../call/options/results.ts';
import type { BatchAs, ItemAt, ListPath } from '../call/options/typed-schemas.ts';

/** The names in `V` whose schemas carry a type. */
type Named<V> = { [Name in keyof V]: unknown extends V[Name] ? never : Name }[keyof V] & string;

/**
 * The methods of a decoder whose registered schemas carry types: with the name of such a schema, the result has its type. `V` has
 * the type of each schema by its name.
 *
 * @example
 * const decoder = createDecoder({ schemas: { trip: defineSchema<Trip>({ format: 'bebop', schema: { bop, record: 'Trip' } }) } });
 * const trip = await decoder.decode(buffer, { schema: 'trip' }); // Trip
 */
export interface NamedSchemas<V> {
  readonly fetch: <A extends ResultForm = 'objects'>(
    input: Parameters<typeof fetch>[0],
    init?: DecoderRequestInit<A>,
  ) => Promise<NamedResponse<V, A> & DecoderResponse<A>>;
  readonly partial: <Name extends Named<V>>(
    source: ChunkSource,
    options: PartialDecodeOptions & { schema: Name },
  ) => AsyncGenerator<DeepPartial<V[Name]>, void>;
  readonly messages: {
    <Name extends Named<V>, A extends ResultForm = 'objects'>(
      source: MessageSource,
      options: MessageOptions & { schema: Name; as?: A | undefined; batch: true },
    ): AsyncGenerator<ResultAs<V[Name], A>[], void>;
    <Name extends Named<V>, A extends ResultForm = 'objects'>(
      source: MessageSource,
      options: MessageOptions & { schema: Name; as?: A | undefined; batch?: false | undefined },
    ): AsyncGenerator<ResultAs<V[Name], A>, void>;
  };
  decode<Name extends Named<V>, A extends ResultForm = 'objects'>(
    source: DecodeSource,
    options: DecodeOptions & { schema: Name; as?: A | undefined },
  ): Promise<ResultAs<V[Name], A>>;
  batches<Name extends Named<V>, const Path extends ListPath = '', A extends ResultForm = 'objects'>(
    source: DecodeSource,
    options: BatchOptions & { schema: Name; path?: Path | undefined; as?: A | undefined },
  ): Batches<BatchAs<ItemAt<V[Name], Path>, A>>;
  growingRows<Name extends Named<V>, const Path extends ListPath = ''>(
    source: DecodeSource,
    options: GrowingRowsOptions<ItemAt<V[Name], Path>> & { schema: Name; path?: Path | undefined },
  ): Promise<GrowingRows<ItemAt<V[Name], Path>>>;
}

/** The methods of a response whose results have the types of registered schemas; see `NamedSchemas`. */
export interface NamedResponse<V, A extends ResultForm = ResultForm> {
  json<Name extends Named<V>>(options: Omit<DecodeSettings, 'as'> & FormatChoice & { schema: Name }): Promise<V[Name]>;
  decode<Name extends Named<V>, B extends ResultForm = A>(
    options: DecodeOptions & { schema: Name; as?: B | undefined },
  ): Promise<ResultAs<V[Name], B>>;
  rows<Name extends Named<V>>(options: Omit<DecodeSettings, 'as'> & FormatChoice & { schema: Name }): Promise<RowsOf<V[Name]>>;
  batches<Name extends Named<V>, const Path extends ListPath = '', B extends ResultForm = 'objects'>(
    options: BatchOptions & { schema: Name; path?: Path | undefined; as?: B | undefined },
  ): Batches<BatchAs<ItemAt<V[Name], Path>, B>>;
  clone(): NamedResponse<V, A> & DecoderResponse<A>;
}
