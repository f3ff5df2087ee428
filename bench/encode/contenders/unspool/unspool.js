import { SCHEMAS } from '../../../schemas.js';
import * as rows from '../../rows.js';

/** By the benchmark's name of a format: the library's format, its options, and the conversion of a row to the format's schema. */
export const FORMATS = /** @type {Record<string, { id: string, options?: object, row?: (trip: any) => object }>} */ ({
  json: { id: 'json' },
  messagepack: { id: 'messagepack' },
  'messagepack-records': { id: 'messagepack', options: { records: true } },
  'messagepack-bundled': { id: 'messagepack', options: { records: true, bundleStrings: true } },
  cbor: { id: 'cbor' },
  'cbor-records': { id: 'cbor', options: { records: true } },
  avro: { id: 'avro', row: rows.withNumbers },
  protobuf: { id: 'protobuf', options: { names: 'proto' }, row: rows.withEnums },
  bson: { id: 'bson' },
  bebop: { id: 'bebop', row: rows.withoutNulls },
  flatbuffers: { id: 'flatbuffers', row: rows.withEnums },
  capnproto: { id: 'capnproto', row: (trip) => rows.camelCase(numbersForNulls(rows.withEnums(trip))) },
  sia: { id: 'sia' },
  jsbinary: { id: 'jsbinary', row: rows.withDates },
});

/** Cap'n Proto has no null. @param {any} trip */
const numbersForNulls = (trip) => ({ ...trip, end_lat: trip.end_lat ?? Number.NaN, end_lng: trip.end_lng ?? Number.NaN });

/**
 * Loads the built library: the synchronous functions and the writer of a task's format.
 *
 * @param {import('../contender.js').Task} task
 */
export async function load(task) {
  const { id, options = {}, row } = FORMATS[task.format];
  const [sync, { default: writer }] = await Promise.all([import(`${task.library}/sync.js`), import(`${task.library}/encoders/${id}.js`)]);
  const definition = SCHEMAS[id]?.[task.dataset];
  const schema = definition && (await sync.compileSchema(writer, definition));
  return { sync, writer, id, definition, settings: { options, schema }, prepare: row && rows.preparing(task, row) };
}

/** @type {import('../contender.js').Setup} */
export const setup = async (task) => {
  const { sync, writer, settings, prepare } = await load(task);
  return {
    ...(prepare && { prepare }),
    encode: (value) => sync.encodeChunks(writer, value, settings),
    encodeSmall: (value) => sync.encodeSync(writer, value, settings),
  };
};
