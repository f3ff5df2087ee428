import { respond } from 'unspool/server';

export default defineEventHandler((event) => {
  const trips = Array.from({ length: 5000 }, (_, id) => ({ id, station: `Station ${id % 300}` }));
  return respond(toWebRequest(event), { trips });
});
