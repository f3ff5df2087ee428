/** Tests of the public types, checked by the compiler. Nothing here runs. */
import {
  type ColumnValues,
  createDecoder,
  DecodeError,
  type DecodeErrorCode,
  type DecodeReport,
  type DecoderResponse,
  type DecoderStats,
  type DeepPartial,
  LimitError,
  type LimitName,
  type Rows,
} from 'unspool';
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
  formats: { messagepack: {}, json: {} },
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

export async function rows(): Promise<void> {
  const list = await decoder.decode<Trip[]>(bytes, { as: 'rows' });
  expectType<Rows<Trip>>()(list);
  expectType<number>()(list.length);
  expectType<Trip | undefined>()(list.at(-1));
  expectType<Trip[]>()(list.toArray());
  expectType<Trip[]>()(await list.materialise());
  for (const trip of list) expectType<Trip>()(trip);
  // @ts-expect-error -- a list of rows is not an array
  expectAssignable<Trip[]>(list);
  // @ts-expect-error -- no such key
  list.column('hours');

  const answer = await decoder.decode<Answer>(bytes, { as: 'rows' });
  expectType<Rows<Trip>>()(answer.trips);
  expectType<number[]>()(answer.bounds);
  expectType<number>()(answer.page.number);
}

/** Lists with items other than records. */
interface Mixed {
  entries: (Trip | null)[];
  pairs: [number, number];
  lists: Trip[][];
  dates: Date[];
}

export async function otherLists(): Promise<void> {
  const rows = await decoder.decode<Mixed>(bytes, { as: 'rows' });
  expectType<Rows<Trip> | (Trip | null)[]>()(rows.entries);
  expectType<[number, number]>()(rows.pairs);
  expectType<Rows<Trip>[]>()(rows.lists);
  expectType<Date[]>()(rows.dates);
  const columns = await decoder.decode<Mixed>(bytes, { as: 'columns' });
  expectType<Columns | (Trip | null)[]>()(columns.entries);
  expectType<Columns[]>()(columns.lists);
  for await (const batch of decoder.batches<Trip | null>(bytes, { as: 'rows' })) expectType<Rows<Trip | null>>()(batch);
  for await (const batch of decoder.batches<Trip | null>(bytes, { as: 'columns' })) expectType<Columns | (Trip | null)[]>()(batch);
  for await (const batch of decoder.batches<number>(bytes, { as: 'columns' })) expectType<number[]>()(batch);
}

type Columns = { [Key in keyof Trip]: ColumnValues };

export async function responses(): Promise<void> {
  const response = await decoder.fetch('/trips', { signal });
  expectType<DecoderResponse>()(response);
  expectType<Trip[]>()(await response.json<Trip[]>());
  expectType<Rows<Trip>>()(await response.rows<Trip[]>());
  expectType<Trip[]>()(await response.clone().decode<Trip[]>());
  expectType<Rows<Trip>>()(await response.decode<Trip[]>({ as: 'rows' }));
  const { minutes } = await response.clone().decode<Trip[]>({ as: 'columns' });
  expectType<ColumnValues>()(minutes);
  expectType<Trip[]>()(await response.decode<Trip[], 'json'>({ format: 'json', options: { bigints: 'bigint' } }));
  for await (const batch of response.batches<Trip>({ path: 'trips' })) expectType<Trip[]>()(batch);
  for await (const batch of response.batches<Trip>({ as: 'rows' })) expectType<Rows<Trip>>()(batch);
  // Assignable to `fetch`.
  expectAssignable<typeof fetch>(decoder.fetch);
  expectAssignable<Response>(response);
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
  // @ts-expect-error -- no option of MessagePack
  void decoder.partial(texts, { format: 'messagepack', options: { bigints: 'bigint' } });
  for await (const trip of decoder.messages<Trip>(socket, { policy: 'latest', key: String })) expectType<Trip>()(trip);
  for await (const trips of decoder.messages<Trip>(source, { batch: true })) expectType<Trip[]>()(trips);
  void decoder.messages(new BroadcastChannel('ticks'));
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
