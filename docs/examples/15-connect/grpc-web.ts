import { create, toBinary } from '@bufbuild/protobuf';
import { createDecoder } from 'unspool';
import { schemaOf } from './schema.ts';
import { LoadRequestSchema, type Trip, TripSchema, TripService } from './trips_pb.ts';

const decoder = createDecoder();

/** Bytes before each message: the flags, and the length as a big-endian number. */
const HEAD_BYTES = 5;
/** Flag of the trailers, which come last. */
const TRAILERS = 0x80;

/** Calls a method that streams, by gRPC-web without a client library. Yields the decoded messages as they arrive. */
export async function* watchTrips(baseUrl: string, rows: number): AsyncGenerator<Trip, void> {
  const message = toBinary(LoadRequestSchema, create(LoadRequestSchema, { rows }));
  const body = new Uint8Array(HEAD_BYTES + message.length);
  new DataView(body.buffer).setUint32(1, message.length);
  body.set(message, HEAD_BYTES);
  const response = await fetch(`${baseUrl}/${TripService.typeName}/Watch`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/grpc-web+proto', 'X-Grpc-Web': '1' },
    body,
  });
  yield* decoder.messages<Trip>(messagesOf(response), { format: 'protobuf', schema: schemaOf(TripSchema) });
}

/** The bytes of each message in a response of gRPC-web. Throws if the trailers report an error. */
async function* messagesOf({ body, headers }: Response): AsyncGenerator<Uint8Array, void> {
  assertOk(`grpc-status: ${headers.get('grpc-status') ?? '0'}`);
  const reader = body!.getReader();
  let left = new Uint8Array(0);
  const take = async (length: number): Promise<Uint8Array<ArrayBuffer>> => {
    const bytes = new Uint8Array(length);
    for (let filled = 0; filled < length;) {
      if (left.length === 0) {
        const { done, value } = await reader.read();
        if (done) throw new Error('The response ended before its trailers.');
        left = value;
      }
      const part = left.subarray(0, length - filled);
      bytes.set(part, filled);
      filled += part.length;
      left = left.subarray(part.length);
    }
    return bytes;
  };
  for (;;) {
    const head = await take(HEAD_BYTES);
    const data = await take(new DataView(head.buffer).getUint32(1));
    if (head[0] === TRAILERS) return assertOk(new TextDecoder().decode(data));
    yield data;
  }
}

function assertOk(trailers: string): void {
  if (!/^grpc-status: ?0\s*$/im.test(trailers)) throw new Error(trailers);
}
