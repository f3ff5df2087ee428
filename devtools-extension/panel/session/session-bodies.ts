import type { ReadingClient, ReadRequest } from '../../reading/protocol.ts';
import type { BodyStore } from '../body/body-store.ts';
import type { Requests } from '../requests/requests.ts';
import type { Row } from '../requests/row.ts';
import type { SchemaUse } from '../schemas/schema-use.ts';

/** Dependencies of the session's models. */
export interface SessionDependencies {
  client: ReadingClient;
  bodies: BodyStore;
  requests: Requests;
  schemas: SchemaUse;
}

/** Worker request for a row's body; undefined if the body is missing. */
export async function requestOf({ bodies, schemas }: SessionDependencies, { exchange, found }: Row): Promise<ReadRequest | undefined> {
  const body = await bodies.read(exchange);
  if ('missing' in body) return undefined;
  const { url, contentType } = exchange;
  return { bytes: body.bytes, contentType, url, format: schemas.formatFor(url), schema: schemas.droppedFor(url), detected: found };
}
