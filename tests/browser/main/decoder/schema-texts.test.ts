import { expect, test } from 'vitest';
import { createEncoder } from '../../../../main/encode.ts';
import { createDecoder, type DecodeReport } from '../../../../main/index.ts';

const fbs = 'include "stop.fbs"; table Trip { id: int; stops: [Stop]; } table Trips { trips: [Trip]; } root_type Trips;';
const schema = { fbs, imports: { 'stop.fbs': 'struct Stop { x: double; y: double; }' } };

test('decodes FlatBuffers by the text of their schema on the page and in a worker', async () => {
  const decoder = createDecoder({ schemas: { trips: { format: 'flatbuffers', schema } } });
  const routes: DecodeReport['route'][] = [];
  decoder.addEventListener('decode', ({ detail }) => routes.push(detail.route));
  const value = {
    trips: [
      { id: 1, stops: [{ x: 1, y: 2 }] },
      { id: 2, stops: [] },
    ],
  };
  const bytes = await createEncoder().encode(value, { format: 'flatbuffers', schema });
  expect(await decoder.decode(bytes, { schema: 'trips' })).toEqual(value);
  expect(await decoder.decode(bytes, { schema: 'trips', route: 'worker' })).toEqual(value);
  expect(routes).toEqual(['page', 'worker']);
  decoder.close();
});
