import { expect, test } from 'vitest';
import { createEncoder } from '../../../../main/encode.ts';
import { createDecoder, type DecodeReport } from '../../../../main/index.ts';

const capnp = 'using import "stop.capnp".Stop; struct Trip { id @0 :Int32; stops @1 :List(Stop); } struct Trips { trips @0 :List(Trip); }';
const fbs = 'include "stop.fbs"; table Trip { id: int; stops: [Stop]; } table Trips { trips: [Trip]; } root_type Trips;';

test.each([
  { format: 'flatbuffers', schema: { fbs, imports: { 'stop.fbs': 'struct Stop { x: double; y: double; }' } } },
  { format: 'capnproto', schema: { capnp, struct: 'Trips', imports: { 'stop.capnp': 'struct Stop { x @0 :Float64; y @1 :Float64; }' } } },
] as const)('decodes $format by the text of its schema on the page and in a worker', async (definition) => {
  const decoder = createDecoder({ schemas: { trips: definition } });
  const routes: DecodeReport['route'][] = [];
  decoder.addEventListener('decode', ({ detail }) => routes.push(detail.route));
  const value = {
    trips: [
      { id: 1, stops: [{ x: 1, y: 2 }] },
      { id: 2, stops: [] },
    ],
  };
  const bytes = await createEncoder().encode(value, definition);
  expect(await decoder.decode(bytes, { schema: 'trips' })).toEqual(value);
  expect(await decoder.decode(bytes, { schema: 'trips', route: 'worker' })).toEqual(value);
  expect(routes).toEqual(['page', 'worker']);
  decoder.close();
});
