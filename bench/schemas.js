// The schemas of the payloads in the formats that need one.
import numbersAvro from '../demo/server/schemas/numbers.avsc';
import numbersBebop from '../demo/server/schemas/numbers.bop';
import numbersCapnproto from '../demo/server/schemas/numbers.capnp.request';
import numbersFlatbuffers from '../demo/server/schemas/numbers.bfbs';
import numbersJsBinary from '../demo/server/schemas/numbers.jsbinary.json';
import numbersProtobuf from '../demo/server/schemas/numbers.proto';
import tripsAvro from '../demo/server/schemas/trips.avsc';
import tripsBebop from '../demo/server/schemas/trips.bop';
import tripsCapnproto from '../demo/server/schemas/trips.capnp.request';
import tripsFlatbuffers from '../demo/server/schemas/trips.bfbs';
import tripsJsBinary from '../demo/server/schemas/trips.jsbinary.json';
import tripsProtobuf from '../demo/server/schemas/trips.proto';

/** By format and dataset. @type {Record<string, Record<string, any>>} */
export const SCHEMAS = {
  avro: { trips: tripsAvro, numbers: numbersAvro },
  protobuf: {
    trips: { proto: tripsProtobuf, message: 'unspool.demo.Trips' },
    numbers: { proto: numbersProtobuf, message: 'unspool.demo.Numbers' },
  },
  flatbuffers: {
    trips: { bfbs: tripsFlatbuffers, table: 'unspool.demo.Trips' },
    numbers: { bfbs: numbersFlatbuffers, table: 'unspool.demo.Numbers' },
  },
  capnproto: { trips: { request: tripsCapnproto, struct: 'Trips' }, numbers: { request: numbersCapnproto, struct: 'Numbers' } },
  bebop: { trips: { bop: tripsBebop, record: 'Trips' }, numbers: { bop: numbersBebop, record: 'Numbers' } },
  jsbinary: { trips: tripsJsBinary, numbers: numbersJsBinary },
};
