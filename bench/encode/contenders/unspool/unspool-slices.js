import { load } from './unspool.js';

/** @type {import('../contender.js').Setup} */
export const setup = async (task) => {
  const { id, definition, settings, prepare } = await load(task);
  const { createEncoder } = await import(`${task.library}/encode.js`);
  const encoder = createEncoder();
  const options = { format: id, options: settings.options, ...(definition && { schema: definition }) };
  return {
    ...(prepare && { prepare }),
    async encode(value) {
      const reader = encoder.stream(value, options).getReader();
      const chunks = [];
      for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
      return chunks;
    },
    encodeSmall: (value) => encoder.encode(value, options),
    close: () => encoder.close(),
  };
};
