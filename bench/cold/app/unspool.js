import { trips } from 'trips-schema';
import { createDecoder } from 'unspool';
import { visit } from './visit.js';

const decoder = createDecoder({ formatOptions: { protobuf: { names: 'proto' } } });

void visit(async (url, { format, form }) => {
  const response = await decoder.fetch(url, { format: /** @type {import('unspool').FormatId} */ (format) });
  if (format === 'protobuf') {
    const options = { format: /** @type {const} */ ('protobuf'), schema: trips };
    return form === 'rows' ? await response.rows(options) : await response.decode(options);
  }
  // Naming the format in the request loads its code in parallel with the response.
  return form === 'rows' ? await response.rows() : await response.json();
});
