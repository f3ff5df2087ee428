import { expect, test } from 'vitest';
import { createDecoder, type DecodeReport } from '../../../main/index.ts';
import { createRegistry } from '../../../main/registry.ts';

const trip = { type: 'record', name: 'Trip', fields: [{ name: 'id', type: 'int' }] };
const trips = { type: 'array', items: 'Trip' };

test('decodes the messages of a schema registry on the page and in a worker', async () => {
  const asked: string[] = [];
  const registry = createRegistry({
    url: '/registry',
    fetch: (path) => {
      asked.push(path);
      const references = [{ name: 'Trip', subject: 'trip', version: 1 }];
      return Response.json(path.includes('/subjects/') ? { schema: JSON.stringify(trip) } : { schema: JSON.stringify(trips), references });
    },
  });
  const decoder = createDecoder();
  const routes: DecodeReport['route'][] = [];
  decoder.addEventListener('decode', ({ detail }) => routes.push(detail.route));
  // The frame, a block of three trips, and the end of the list.
  const message = Uint8Array.of(0, 0, 0, 0, 9, 6, 2, 4, 6, 0);
  expect(await registry.decode(decoder, message)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  const rows = await registry.decode<{ id: number }[], 'rows'>(decoder, message, { as: 'rows', route: 'worker' });
  expect(rows.column('id')).toEqual(Int32Array.of(1, 2, 3));
  expect(routes).toEqual(['page', 'worker']);
  expect(asked).toEqual(['/registry/schemas/ids/9', '/registry/subjects/trip/versions/1?deleted=true']);
  decoder.close();
});
