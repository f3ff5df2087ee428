import avroEncoder from 'unspool/encoders/avro';
import cborEncoder from 'unspool/encoders/cbor';
import cbor from 'unspool/formats/cbor';
import { registerServiceWorker } from 'unspool/register';
import { createServiceWorkerDecoder } from 'unspool/service-worker';
import type { WorkboxPlugin } from 'workbox-core/types.js';
import { registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';
import { expectType } from './equal.ts';

const decoder = createServiceWorkerDecoder({ formats: { cbor } });

// Workbox accepts handlers and plugins.
registerRoute('/api', decoder.handler());
const plugin: WorkboxPlugin = decoder.plugin({ respondWith: 'block' });
registerRoute('/tables', new CacheFirst({ plugins: [plugin, decoder.plugin()] }));

// Options belong to the format.
decoder.handler({ format: 'cbor', options: { maps: 'map' } });
// @ts-expect-error -- MessagePack's
decoder.handler({ format: 'cbor', options: { msgpackr: true } });
// @ts-expect-error -- no format
createServiceWorkerDecoder({ formats: { xml: cbor } });

const writing = createServiceWorkerDecoder({
  formats: { cbor },
  encoders: { cbor: cborEncoder, avro: avroEncoder },
  encoderOptions: { cbor: { records: true } },
});
writing.handler({ respondWith: 'cbor', requests: { format: 'avro', schema: 'trips', matches: ({ url }) => url.endsWith('/trips') } });
writing.plugin({ respondWith: { format: 'cbor', options: { records: true } }, requests: 'cbor' });
// @ts-expect-error -- MessagePack's
writing.handler({ respondWith: { format: 'cbor', options: { msgpackr: true } } });
// @ts-expect-error -- no format
writing.handler({ requests: 'xml' });
// @ts-expect-error -- no format
createServiceWorkerDecoder({ formats: { cbor }, encoders: { xml: cborEncoder } });

registerServiceWorker('/service-worker.js').addEventListener('waiting', ({ detail }) => {
  expectType<boolean>()(detail.isUpdate);
});
