import { type } from 'arktype';
import { createDecoder } from 'unspool';
import { validate } from 'unspool/validate';
import * as v from 'valibot';
import { z } from 'zod';
import type { Trip, Trips } from './trip.ts';

/** One schema for one trip: each of these libraries implements Standard Schema. */
export const schemas = {
  zod: z.object({ id: z.number(), station: z.string(), minutes: z.number().min(0), member: z.boolean() }),
  valibot: v.object({ id: v.number(), station: v.string(), minutes: v.pipe(v.number(), v.minValue(0)), member: v.boolean() }),
  arktype: type({ id: 'number', station: 'string', minutes: 'number >= 0', member: 'boolean' }),
};

const decoder = createDecoder();

/** Trip by trip, in slices: a schema of the whole list would be checked in one long task. */
export async function loadTrips(url: string, library: keyof typeof schemas, signal: AbortSignal | null = null): Promise<Trip[]> {
  const response = await decoder.fetch(url, { signal });
  const { trips } = await response.rows<Trips>();
  return validate(trips, schemas[library], { signal: signal ?? undefined });
}
