import { WANTED } from '../operations.js';

/**
 * Operations over columns that have `at(row)`, as an application writes them where a library has none.
 *
 * @param {number} length
 * @param {(key: string) => { at(row: number): any }} column
 */
export function byHand(length, column) {
  const filter = async () => {
    const [member, lat] = [column('member_casual'), column('start_lat')];
    const found = [];
    for (let row = 0; row < length; row += 1) if (member.at(row) === WANTED.member && lat.at(row) >= WANTED.north) found.push(row);
    return found.length;
  };
  return {
    /** @param {string} key */
    sort: async (key) => {
      const source = column(key);
      const values = Array.from({ length }, (_, row) => source.at(row));
      const rows = Uint32Array.from(values.keys()).sort((one, other) => (values[one] < values[other] ? -1 : values[one] > values[other] ? 1 : 0));
      return { length, first: values[rows[0] ?? 0], last: values[rows.at(-1) ?? 0] };
    },
    condition: filter,
    predicate: filter,
    /** @param {string} key */
    group: async (key) => {
      const counts = new Map();
      const values = column(key);
      for (let row = 0; row < length; row += 1) counts.set(values.at(row), (counts.get(values.at(row)) ?? 0) + 1);
      return Math.max(...counts.values());
    },
  };
}
