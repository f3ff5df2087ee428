import { createEncoder } from './unspool/encode.js';
import { createDecoder } from './unspool/index.js';
import { toAvro, toProtobuf } from './unspool/json-schema.js';

async function run() {
  const decoder = createDecoder();
  const described = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
  const ids = [];
  for (const schema of [toAvro(described), toProtobuf(described)]) {
    const bytes = await createEncoder().encode({ id: 7 }, { schema });
    ids.push((await decoder.decode(bytes, { schema })).id);
  }
  return ids;
}

globalThis.outcome = run();
