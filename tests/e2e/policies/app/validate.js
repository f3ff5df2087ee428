import { createDecoder } from './unspool/index.js';
import { validate } from './unspool/validate.js';

async function run() {
  const { trips } = await (await createDecoder().fetch('./large.msgpack')).rows();
  const schema = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value: value.ride_id }) } };
  return [(await validate(trips, schema)).length];
}

globalThis.outcome = run();
