import { createDecoder } from 'unspool';
import { createEncoder } from 'unspool/encode';
import { countByStation } from './index.ts';
import type { Trips } from './trip.ts';

const trips = Array.from({ length: 5000 }, (_, id) => ({ id, station: `Station ${id % 300}`, minutes: id / 2, member: id % 3 > 0 }));
const bytes = await createEncoder().encode({ trips }, { format: 'messagepack' });
const rows = await createDecoder().decode<Trips>(bytes, { as: 'rows', format: 'messagepack' });
const counts = await countByStation(rows.trips);
console.log(`${rows.trips.length} trips of ${counts.length - 1} stations`);
console.table(counts.slice(0, 10));
process.exit();
