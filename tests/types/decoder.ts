/** Tests of the public types, checked by the compiler. Nothing here runs. */
import {
  type AnswerParts,
  type ColumnValues,
  createDecoder,
  DecodeError,
  type DecodeErrorCode,
  type DecodeOptions,
  type DecodeReport,
  type DecoderResponse,
  type DecoderStats,
  type DeepPartial,
  type FlatPoints,
  type FormatId,
  LimitError,
  type LimitName,
  type MaskedColumn,
  type Picked,
  type ResultForm,
  type Rows,
  type RowsOf,
} from 'unspool';
import * as v from 'valibot';
import { z } from 'zod';
import json from 'unspool/formats/json';
import { createDecoder as createInlineDecoder } from 'unspool/inline';
import { createPartial } from 'unspool/partial';
import { expectAssignable, expectType } from './equal.ts';

interface Trip {
  id: string;
  minutes: number;
  member?: boolean;
}

interface Answer {
  trips: Trip[];
  bounds: number[];
  page: { number: number };
}

declare const bytes: Uint8Array;
declare const signal: AbortSignal;

const decoder = createDecoder();
expectType<typeof decoder>()(createInlineDecoder());

createDecoder({
  workers: 2,
  createWorker: () => new Worker('/worker.js', { type: 'module' }),
  limits: { depth: 100 },
  formatOptions: { messagepack: {}, json: {} },
  timeout: undefined,
});
// @ts-expect-error -- no such option
createDecoder({ threads: 2 });
createDecoder({
  schemas: {
    trip: { format: 'protobuf', schema: { proto: '', message: 'Trip' } },
    list: { format: 'avro', schema: { type: 'array', items: 'int' } },
  },
});
// @ts-expect-error -- no schema of this format
createDecoder({ schemas: { trip: { format: 'protobuf', schema: { proto: '' } } } });
// @ts-expect-error -- a format that takes no schema
createDecoder({ schemas: { trip: { format: 'json', schema: {} } } });
// @ts-expect-error -- no such limit
createDecoder({ limits: { width: 100 } });

export async function objects(): Promise<void> {
  expectType<unknown>()(await decoder.decode(bytes));
  expectType<Trip[]>()(await decoder.decode<Trip[]>(bytes));
  expectType<Trip[]>()(await decoder.decode<Trip[]>(bytes, { as: 'objects', format: 'messagepack', signal }));

  await decoder.decode(bytes.buffer);
  await decoder.decode(new Blob([]));
  await decoder.decode(new Response());
  await decoder.decode(new ReadableStream<Uint8Array>());
  // @ts-expect-error -- text is not a payload
  await decoder.decode('[]');
  // @ts-expect-error -- no such format
  await decoder.decode(bytes, { format: 'xml' });
  // @ts-expect-error -- no such form
  await decoder.decode(bytes, { as: 'maps' });
  // @ts-expect-error -- no such route
  await decoder.decode(bytes, { route: 'main' });
}

/** Functions around a decoder: `FormatId` and the type of the value keep format, options and schema together. */
export async function wrapped<T>(url: string, options: DecodeOptions<FormatId, T> & { as?: 'objects' } = {}): Promise<T> {
  return await decoder.decode<T>(await decoder.fetch(url), options);
}

export async function wrappedRows<T>(url: string, options?: DecodeOptions<FormatId, T>): Promise<RowsOf<T>> {
  return await decoder.decode<T>(await decoder.fetch(url), { ...options, as: 'rows' });
}

export async function calls(): Promise<void> {
  expectType<Trip[]>()(await wrapped<Trip[]>('/trips', { format: 'protobuf', options: { names: 'json' }, signal }));
  expectType<Rows<Trip>>()(await wrappedRows<Trip[]>('/trips', { signal }));
  // @ts-expect-error -- no such value
  await wrapped<Trip[]>('/trips', { format: 'protobuf', options: { names: 'jsn' } });
  // @ts-expect-error -- rows are not the type of the value
  await wrapped<Trip[]>('/trips', { as: 'rows' });
}

export async function picks(): Promise<void> {
  expectType<{ trips: { id: string; minutes: number }[] }>()(
    await decoder.decode<Picked<Answer, 'trips.id' | 'trips.minutes'>>(bytes, { pick: ['trips.id', ['trips', 'minutes']] }),
  );
  expectType<Rows<{ id: string }>>()((await decoder.decode<Picked<Answer, 'trips.id'>>(bytes, { as: 'rows', pick: ['trips.id'] })).trips);
  expectType<{ page: { number: number }; bounds: number[] }>()(null! as Picked<Answer, 'page' | 'bounds'>);
  // @ts-expect-error -- a path, not a list of them
  await decoder.decode(bytes, { pick: 'trips.id' });
}

export async function typedNumbers(): Promise<void> {
  expectType<{ line: FlatPoints }>()(await decoder.decode<{ line: FlatPoints }>(bytes, { numbers: 'typed' }));
  // @ts-expect-error -- the only value is typed
  await decoder.decode(bytes, { numbers: 'array' });
  // @ts-expect-error -- not for batches
  decoder.batches(bytes, { numbers: 'typed' });
}

export async function rows(): Promise<void> {
  const list = await decoder.decode<Trip[]>(bytes, { as: 'rows' });
  expectType<Rows<Trip>>()(list);
  expectType<number>()(list.length);
  expectType<Trip | undefined>()(list.at(-1));
  expectType<Trip[]>()(list.toArray());
  expectType<Trip[]>()(await list.toArrayAsync());
  for (const trip of list) expectType<Trip>()(trip);
  // @ts-expect-error -- a list of rows is not an array
  expectAssignable<Trip[]>(list);
  // @ts-expect-error -- no such key
  list.column('hours');

  expectType<string[] | undefined>()(list.column('id'));
  expectType<Float64Array>()(list.column('minutes', { as: 'float64' }));
  expectType<(string | null)[]>()(list.column('id', { as: 'text' }));
  expectType<(boolean | undefined)[]>()(list.column('member', { as: 'values' }));
  expectType<MaskedColumn<Int32Array>>()(list.column('minutes', { as: 'int32', mask: true }));
  expectType<(Date | null)[]>()(await list.columnAsync('id', { as: 'date', signal }));
  expectType<string[] | undefined>()(await list.columnAsync('id', { signal }));
  // @ts-expect-error -- no such form
  list.column('id', { as: 'int64' });
  // @ts-expect-error -- no such key
  list.column('hours', { as: 'float64' });
  expectType<unknown[]>()((await decoder.decode<Record<string, unknown>[]>(bytes, { as: 'rows' })).column('any', { as: 'values' }));

  const answer = await decoder.decode<Answer>(bytes, { as: 'rows' });
  expectType<Rows<Trip>>()(answer.trips);
  expectType<number[]>()(answer.bounds);
  expectType<number>()(answer.page.number);
}

/** Lists with items other than records. */
interface Mixed {
  entries: (Trip | null)[];
  texts: (Trip | string)[];
  nested: (Trip | Trip[])[];
  pairs: [number, number];
  lists: Trip[][];
  dates: Date[];
}

export async function otherLists(): Promise<void> {
  const rows = await decoder.decode<Mixed>(bytes, { as: 'rows' });
  expectType<Rows<Trip | null>>()(rows.entries);
  expectType<(string | undefined)[] | undefined>()(rows.entries.column('id'));
  expectType<Rows<Trip | string> | (Trip | string)[]>()(rows.texts);
  expectType<Rows<Trip> | (Rows<Trip> | Trip)[]>()(rows.nested);
  expectType<[number, number]>()(rows.pairs);
  expectType<Rows<Trip>[]>()(rows.lists);
  expectType<Date[]>()(rows.dates);
  const columns = await decoder.decode<Mixed>(bytes, { as: 'columns' });
  expectType<Partial<NullableColumns>>()(columns.entries);
  expectType<Partial<Columns> | (Trip | string)[]>()(columns.texts);
  expectType<Partial<Columns>[]>()(columns.lists);
  for await (const batch of decoder.batches<Trip | null>(bytes, { as: 'rows' })) expectType<Rows<Trip | null>>()(batch);
  for await (const batch of decoder.batches<Trip | null>(bytes, { as: 'columns' })) expectType<NullableColumns>()(batch);
  for await (const batch of decoder.batches<number>(bytes, { as: 'columns' })) expectType<number[]>()(batch);
}

interface NullableColumns {
  id: (string | undefined)[];
  minutes: Int32Array | Float64Array | (number | undefined)[];
  member?: (boolean | undefined)[];
}

interface Columns {
  id: string[];
  minutes: Int32Array | Float64Array;
  member?: (boolean | undefined)[];
}

export async function responses(): Promise<void> {
  const response = await decoder.fetch('/trips', { signal });
  expectType<DecoderResponse<'objects'>>()(response);
  expectType<Trip[]>()(await response.json<Trip[]>());
  expectType<Rows<Trip>>()(await response.rows<Trip[]>());
  expectType<Trip[]>()(await response.clone().decode<Trip[]>());
  expectType<Rows<Trip>>()(await response.decode<Trip[]>({ as: 'rows' }));
  const { minutes } = await response.clone().decode<Trip[]>({ as: 'columns' });
  expectType<Int32Array | Float64Array | undefined>()(minutes);
  expectType<Trip[]>()(await response.decode<Trip[]>({ format: 'json', options: { bigints: 'bigint' } }));
  for await (const batch of response.batches<Trip>({ path: 'trips' })) expectType<Trip[]>()(batch);
  for await (const batch of response.batches<Trip>({ as: 'rows' })) expectType<Rows<Trip>>()(batch);
  // Assignable to `fetch`.
  expectAssignable<typeof fetch>(decoder.fetch);
  expectAssignable<Response>(response);
}

/** The type of a result follows from `as`: of the call, or of the request. */
export async function formsOfRequests(as: 'rows' | 'objects', any: ResultForm): Promise<void> {
  const rows = await decoder.fetch('/trips', { as: 'rows' });
  expectType<DecoderResponse<'rows'>>()(rows);
  const answer = await rows.decode<Answer>();
  expectType<Rows<Trip>>()(answer.trips);
  // @ts-expect-error -- `Rows` are no array
  answer.trips.push();
  expectType<Rows<Trip>>()((await rows.clone().decode<Answer>({ signal })).trips);
  expectType<Trip[]>()((await rows.clone().decode<Answer>({ as: 'objects' })).trips);
  expectType<Partial<Columns>>()(await (await decoder.fetch('/trips', { as: 'columns' })).decode<Trip[]>());
  expectType<Trip[] | Rows<Trip>>()(await (await decoder.fetch('/trips', { as })).decode<Trip[]>());
  expectType<Trip[] | Rows<Trip>>()(await decoder.decode<Trip[]>(bytes, { as }));
  expectType<Trip[] | Rows<Trip>>()(await rows.decode<Trip[]>({ as }));
  expectType<Trip[] | Rows<Trip> | Partial<Columns>>()(await decoder.decode<Trip[]>(bytes, { as: any }));
  for await (const batch of decoder.batches<Trip>(bytes, { as })) expectType<Trip[] | Rows<Trip>>()(batch);
  const options: DecodeOptions = { as: 'rows' };
  expectType<Trip[] | Rows<Trip> | Partial<Columns>>()(await decoder.decode<Trip[]>(bytes, options));
}

/** Options belong to the format, whether or not the type of the result is named. */
export async function optionsByFormat(format: FormatId): Promise<void> {
  await decoder.decode<number[]>(bytes, { format: 'json', options: { bigints: 'bigint' } });
  // @ts-expect-error -- `int64` is an option of other formats
  await decoder.decode<number[]>(bytes, { format: 'json', options: { int64: 'bigint' } });
  // @ts-expect-error -- `int64` is an option of other formats
  await decoder.decode(bytes, { format: 'json', options: { int64: 'bigint' } });
  // @ts-expect-error -- no such value
  await decoder.decode<Trip>(bytes, { format: 'protobuf', schema: 'trip', options: { names: 'jsn' } });
  // @ts-expect-error -- no such value in any format
  await decoder.decode<Trip>(bytes, { schema: 'trip', options: { names: 'jsn' } });
  await decoder.decode<Trip>(bytes, { schema: 'trip', options: { names: 'json' } });
  // @ts-expect-error -- no such option in any format
  await decoder.decode<Trip>(bytes, { options: { nams: 'json' } });
  // @ts-expect-error -- no such option
  await decoder.decode<Trip>(bytes, { format: 'json', shcema: 'trip' });
  // @ts-expect-error -- no such limit
  await decoder.decode<Trip>(bytes, { limits: { dept: 3 } });
  // @ts-expect-error -- not a schema
  await decoder.decode<Trip>(bytes, { schema: 1 });
  // @ts-expect-error -- not a schema
  await decoder.decode<Trip>(bytes, { format: 'avro', schema: 1 });
  // @ts-expect-error -- a format that takes no schema
  await decoder.decode<Trip>(bytes, { format: 'cbor', schema: { type: 'int' } });
  // @ts-expect-error -- no such part of a schema
  await decoder.decode<Trip>(bytes, { format: 'protobuf', schema: { prot: '', message: 'Trip' } });
  // @ts-expect-error -- no such part of a schema
  await decoder.decode<Trip>(bytes, { format: 'protobuf', schema: { proto: '', mesage: 'Trip' } });
  // @ts-expect-error -- no such option
  await decoder.batches<Trip>(bytes, { rows: 100 }).next();
  // @ts-expect-error -- no such option of this format
  await decoder.growingRows<Trip>(bytes, { format: 'json', options: { int64: 'bigint' } });
  await decoder.decode(bytes, { format });
  await decoder.decode<Trip[]>(bytes, { format, signal, options: undefined, schema: undefined, as: undefined });
}

/** Columns have the types of the record's values. */
export async function columns(list: Rows<Trip>, mixed: Rows<Trip | null>, unknown: Rows): Promise<void> {
  expectType<string[] | undefined>()(list.column('id'));
  expectType<Int32Array | Float64Array | undefined>()(list.column('minutes'));
  expectType<(boolean | undefined)[] | undefined>()(list.column('member'));
  expectType<(string | undefined)[] | undefined>()(mixed.column('id'));
  expectType<ColumnValues | undefined>()(unknown.column('any'));
  expectType<string[] | undefined>()(await list.columnAsync('id', { signal: undefined }));
  expectAssignable<Rows>(list);
  expectAssignable<Rows>(mixed);
  expectAssignable<Rows<{ id: string }>>(list);
}

interface Post {
  title: string;
  kind: 'draft' | 'public';
  likes: number;
  tags: { name: string }[];
  byDay: Map<string, { count: number }>;
}

export async function live(socket: WebSocket, source: EventSource, texts: AsyncIterable<string>): Promise<void> {
  for await (const post of decoder.partial<Post>(new Response(), { prose: true })) {
    expectType<DeepPartial<Post>>()(post);
    expectType<string | undefined>()(post.kind);
    expectType<number | undefined>()(post.likes);
    expectType<string | undefined>()(post.tags?.[0]?.name);
    expectType<number | undefined>()(post.byDay?.get('Monday')?.count);
  }
  void decoder.partial(texts, { format: 'json', options: { bigints: 'bigint' }, delta: ({ data }) => data });
  for await (const recipe of decoder.partial<Post>(new Response(), { delta: 'openai' })) expectType<DeepPartial<Post>>()(recipe);
  for await (const answer of decoder.partial(new Response(), { delta: 'anthropic', parts: true })) {
    expectType<AnswerParts>()(answer);
    expectType<unknown>()(answer.calls[0]?.arguments);
  }
  const Day = z.object({ start: z.string().transform((text) => new Date(text)), stops: z.array(z.string()) });
  for await (const day of decoder.partial(new Response(), { delta: 'openai', validate: Day })) {
    expectType<string | Date | undefined>()(day.start);
    expectType<string | undefined>()(day.stops?.[0]);
  }
  // @ts-expect-error -- no such service
  void decoder.partial(new Response(), { delta: 'mistral' });
  // @ts-expect-error -- parts need a service
  void decoder.partial(new Response(), { delta: ({ data }) => data, parts: true });
  // @ts-expect-error -- no option of MessagePack
  void decoder.partial(texts, { format: 'messagepack', options: { bigints: 'bigint' } });
  for await (const trip of decoder.messages<Trip>(socket, { policy: 'latest', key: String })) expectType<Trip>()(trip);
  for await (const trips of decoder.messages<Trip>(source, { batch: true })) expectType<Trip[]>()(trips);
  void decoder.messages(new BroadcastChannel('ticks'), { onError: 'skip' });
  // @ts-expect-error -- no such way
  void decoder.messages(socket, { onError: 'ignore' });
  void decoder.messages(new MessageChannel().port1);
  for await (const { data } of decoder.events<Trip>(new Response())) expectType<Trip>()(data);
  for await (const { data } of decoder.events(new Response(), { data: 'text' })) expectType<string>()(data);
  const partial = createPartial<Post>(json, { options: { bigints: 'number' } });
  expectType<DeepPartial<Post> | undefined>()(partial.value);
  expectType<Post>()(partial.finish());
  expectType<'absent' | 'partial' | 'complete'>()(partial.state(['tags', 0]));
}

export function events(): void {
  decoder.addEventListener('decode', (event) => {
    expectType<DecodeReport>()(event.detail);
  });
  expectType<DecoderStats>()(decoder.stats());
  expectAssignable<Disposable>(decoder);
}

export function errors(error: unknown): void {
  if (error instanceof DecodeError) {
    expectType<DecodeErrorCode>()(error.code);
    expectType<number | undefined>()(error.offset);
  }
  if (error instanceof LimitError) expectType<LimitName>()(error.limit);
}

/** A schema of a validator gives the result its type. */
export async function validated(): Promise<void> {
  const Trip = z.object({ id: z.string(), start: z.string().transform((text) => new Date(text)) });
  expectType<{ id: string; start: Date }[]>()(await decoder.decode(bytes, { validate: z.array(Trip) }));
  expectType<{ id: string; start: Date }>()(await decoder.decode(bytes, { validate: Trip, format: 'cbor', options: { maps: 'map' }, signal }));
  expectType<number>()(await decoder.decode(bytes, { validate: v.number() }));
  const response = await decoder.fetch('/trips');
  expectType<{ id: string; start: Date }>()(await response.json({ validate: Trip }));
  expectType<{ id: string; start: Date }>()(await response.decode({ validate: Trip }));
  for await (const batch of response.batches({ validate: Trip, path: 'trips' })) expectType<{ id: string; start: Date }[]>()(batch);
  for await (const batch of decoder.batches(bytes, { validate: Trip })) expectType<{ id: string; start: Date }[]>()(batch);
  const rows = await decoder.fetch('/trips', { as: 'rows' });
  expectType<{ id: string; start: Date }>()(await rows.decode({ validate: Trip, as: 'objects' }));
  // @ts-expect-error -- the request asked for rows, which no schema describes
  await rows.decode({ validate: Trip });
  // @ts-expect-error -- rows are no objects
  await decoder.decode(bytes, { validate: Trip, as: 'rows' });
  // @ts-expect-error -- not a schema
  await decoder.decode(bytes, { validate: (value: unknown) => value });
  // @ts-expect-error -- the value is that of the schema
  expectAssignable<number>(await decoder.decode(bytes, { validate: Trip }));
}
