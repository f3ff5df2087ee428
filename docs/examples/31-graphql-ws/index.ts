import { createDecoder } from 'unspool';

const decoder = createDecoder();

/** A query with its variables. */
export interface Query {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

interface GraphqlError {
  readonly message: string;
}

/** Messages of the server (https://github.com/graphql/graphql-over-http/blob/main/rfcs/GraphQLOverWebSocket.md). */
type ServerMessage<T> =
  | { readonly type: 'connection_ack' | 'ping' | 'pong' | 'complete' }
  | { readonly type: 'next'; readonly payload: { readonly data?: T; readonly errors?: readonly GraphqlError[] } }
  | { readonly type: 'error'; readonly payload: readonly GraphqlError[] };

/**
 * The results of a subscription, over a socket that is connecting: `new WebSocket(url, 'graphql-transport-ws')`. Large results are decoded in slices, or
 * in a worker. Closes the socket at the end, which ends the subscription.
 */
export async function* subscribe<T>(socket: WebSocket, payload: Query): AsyncGenerator<T, void> {
  const send = (message: object): void => socket.send(JSON.stringify(message));
  socket.addEventListener('open', () => send({ type: 'connection_init' }));
  try {
    for await (const message of decoder.messages<ServerMessage<T>>(socket, { format: 'json' })) {
      if (message.type === 'connection_ack') send({ id: '1', type: 'subscribe', payload });
      else if (message.type === 'ping') send({ type: 'pong' });
      else if (message.type === 'next') {
        const { data, errors } = message.payload;
        if (errors) throw errorOf(errors);
        yield data!;
      } else if (message.type === 'error') throw errorOf(message.payload);
      else if (message.type === 'complete') return;
    }
  } finally {
    socket.close(1000);
  }
}

function errorOf(errors: readonly GraphqlError[]): Error {
  return new Error(errors.map(({ message }) => message).join('; '));
}
