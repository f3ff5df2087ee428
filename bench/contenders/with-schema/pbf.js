import { withDates } from '../plain.js';

/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'pbf',
  label: 'pbf, generated',
  kind: 'main',
  result: 'objects',
  formats: ['protobuf'],
  // Absent optional fields become empty strings and 0.
  loses: true,
  async setup({ dataset, list, code }) {
    const [{ PbfReader }, read] = await Promise.all([import('pbf'), readerOf(dataset, code)]);
    return {
      decode: (buffer) => read(new PbfReader(new Uint8Array(buffer)), undefined),
      plain: (value) => withDates(value, list),
      close() {},
    };
  },
};

/** @param {string | undefined} dataset @param {string | undefined} code */
async function readerOf(dataset, code) {
  if (code !== undefined) return (await import(code)).readRoot;
  return dataset === 'trips' ? (await import('generated:pbf/trips')).readTrips : (await import('generated:pbf/numbers')).readNumbers;
}
