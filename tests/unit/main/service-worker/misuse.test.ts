import { expect, test } from 'vitest';
import cbor from '../../../../core/formats/cbor/index.ts';
import { createServiceWorkerDecoder } from '../../../../main/service-worker/index.ts';

const create = (more: object) => createServiceWorkerDecoder({ formats: { cbor }, ...more });

test('a service worker refuses options, formats and limits that do not exist, and names those that do', () => {
  expect(() => create({ shemas: {} })).toThrow('unknown option shemas; expected one of formats, formatOptions');
  expect(() => create({ formats: { xml: cbor } })).toThrow('unknown option xml; expected one of json, messagepack');
  expect(() => create({ limits: { dept: 3 } })).toThrow('unknown option dept; expected one of bytes, depth');
  expect(() => create({ limits: { depth: undefined }, schemas: undefined })).not.toThrow();
});

test('its routes and plugins refuse options that do not exist, also of their format', () => {
  const decoder = create({});
  expect(() => decoder.handler({ respondwith: 'json' } as object)).toThrow('unknown option respondwith; expected one of respondWith');
  expect(() => decoder.plugin({ cached: true } as object)).toThrow('unknown option cached');
  expect(() => decoder.handler({ format: 'cbor', options: { map: true } } as object)).toThrow('unknown option map; expected one of ');
  expect(() => decoder.handler({ format: 'cbor', options: { maps: 'map' }, bridge: false })).not.toThrow();
});
