import type { ReadingClient, ReadRequest } from '../../reading/protocol.ts';
import type { BodyStore } from '../body/body-store.ts';
import type { Requests } from '../requests/requests.ts';
import type { Row } from '../requests/row.ts';
import { connectionRecords } from '../messages/connection-records.ts';
import { type SchemaUse, typeIn } from '../schemas/schema-use.ts';
import type { Direction } from '../schemas/schemas.ts';
import type { Exchange, Message } from '../../adapter/adapter.ts';

/** Dependencies of the session's models. */
export interface SessionDependencies {
  client: ReadingClient;
  bodies: BodyStore;
  requests: Requests;
  schemas: SchemaUse;
}

/** Worker request for one body of a row; undefined if it is missing. */
export async function requestOf(
  { bodies, schemas }: SessionDependencies,
  { exchange, found }: Row,
  direction: Direction = 'response',
): Promise<ReadRequest | undefined> {
  const body = direction === 'response' ? await bodies.read(exchange) : await exchange.requestBody?.();
  if (!body || 'missing' in body) return undefined;
  return { ...bodyRequest(schemas, exchange, direction, body.bytes), detected: direction === 'response' ? found : undefined };
}

/** Worker request for one of the messages of a stream. */
export function messageRequest(schemas: SchemaUse, exchange: Exchange, message: Message, messages: readonly Message[]): ReadRequest {
  const { url } = exchange;
  const { bytes, isText, direction } = message;
  const schema = schemas.of(exchange, direction === 'sent' ? 'request' : 'response') ?? connectionRecords(messages, message);
  return { bytes, contentType: '', url, message: isText ? 'text' : 'binary', format: schemas.formatFor(url), schema };
}

/** Worker request for the bytes of a body. */
export function bodyRequest(schemas: SchemaUse, exchange: Exchange, direction: Direction, bytes: Uint8Array): ReadRequest {
  const { url, status, responseHeaders: headers } = exchange;
  return {
    bytes,
    url,
    contentType: typeIn(exchange, direction),
    ...(direction === 'response' && { status, headers }),
    format: schemas.formatFor(url),
    schema: schemas.of(exchange, direction),
  };
}
