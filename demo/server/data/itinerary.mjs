// A travel plan, as a language model might write it: JSON that grows by a few characters at a time.
import { Random } from './random.mjs';

const PLACES = ['Basel', 'Colmar', 'Strasbourg', 'Freiburg', 'Lucerne', 'Bern', 'Thun', 'Lausanne', 'Geneva', 'Annecy'];
const STOPS = [
  'Breakfast by the river',
  'The old town on foot',
  'A museum of clocks',
  'Lunch at the market',
  'A boat to the other shore',
  'Dinner under lanterns',
];
const NOTES = [
  'Come early: by ten the square is full, and the bakers have sold the last of the almond bread.',
  'The ferry takes no cards. “Exact change”, says the sign, and the captain means it.',
  'Two hours are enough; the attic with the drawings alone is worth the stairs.',
  'If it rains, take the arcades on the north side, which lead nearly all the way to the station.',
];

/** @param {number} days */
export function itinerary(days) {
  const random = new Random(7, days);
  return {
    title: `${days} days by train`,
    days: Array.from({ length: days }, (_, index) => ({
      day: index + 1,
      place: PLACES[index % PLACES.length],
      stops: STOPS.map((name, at) => ({ time: `${8 + at * 2}:${random.below(2) ? '30' : '00'}`, name, note: random.pick(NOTES) })),
    })),
  };
}
