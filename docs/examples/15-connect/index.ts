import type { DescMessage } from '@bufbuild/protobuf';
import { createClient, type Interceptor } from '@connectrpc/connect';
import { type ConnectTransportOptions, createConnectTransport } from '@connectrpc/connect-web';
import { createDecoder } from 'unspool';
import { schemaOf } from './schema.ts';
import { type Trip, TripService } from './trips_pb.ts';

const decoder = createDecoder();

/** A call between the interceptor and `fetch`, which share its signal. */
interface Call {
  readonly output: DescMessage;
  message?: object;
}

/**
 * Options of `createConnectTransport` that decode the responses of unary calls. The messages in a message are plain objects,
 * without `$typeName`, and the member of a oneof that is set is a key of its message. The messages of streams are parsed by
 * Connect, each in one task.
 */
export function decoding(): Required<Pick<ConnectTransportOptions, 'useBinaryFormat' | 'interceptors' | 'fetch'>> {
  const calls = new WeakMap<AbortSignal, Call>();
  const interceptor: Interceptor = (next) => async (request) => {
    if (request.stream) return await next(request);
    const call: Call = { output: request.method.output };
    calls.set(request.signal, call);
    const response = await next(request);
    Object.assign(response.message, call.message);
    return response;
  };
  return {
    useBinaryFormat: true,
    interceptors: [interceptor],
    fetch: async (url, init) => {
      const response = await decoder.fetch(url, init);
      const call = init?.signal ? calls.get(init.signal) : undefined;
      // Connect reads errors, which are JSON.
      if (!call || response.headers.get('Content-Type') !== 'application/proto') return response;
      call.message = await response.decode<object>({ format: 'protobuf', schema: schemaOf(call.output), options: { int64: 'bigint' } });
      // Connect checks the headers, and makes an empty message, into which the fields are put.
      return new Response(null, response);
    },
  };
}

export async function loadTrips(baseUrl: string, rows: number): Promise<Trip[]> {
  const client = createClient(TripService, createConnectTransport({ baseUrl, ...decoding() }));
  const { trips } = await client.load({ rows });
  return trips;
}
