// An answer of a language model that calls two tools at once, as a stream of Chat Completions.
import { Random } from './random.mjs';

const TEXT = 'A night train to Vienna, and two rooms near the station. Here are both bookings: please check them.';

export const CALLS = [
  {
    id: 'call_train',
    name: 'book_train',
    arguments: {
      from: 'Zürich HB',
      to: 'Wien Hauptbahnhof',
      departure: '2026-12-18T21:40',
      quiet_zone: true,
      passengers: [
        { name: 'Noémie Favre', age: 34, berth: 'lower' },
        { name: 'Jonas Favre', age: 36, berth: 'middle' },
        { name: 'Mila Favre', age: 7, berth: 'upper' },
      ],
      price_limit: 412.5,
    },
  },
  {
    id: 'call_hotel',
    name: 'book_hotel',
    arguments: {
      hotel: 'Hotel am Südbahnhof',
      arrival: '2026-12-19',
      nights: 3,
      rooms: [
        { kind: 'Double room', beds: 1 },
        { kind: 'Single room', beds: 1 },
      ],
      breakfast: true,
      note: 'We arrive at 7:55, before check-in: may we leave our “larger” bags with you? Mila needs a booster seat at breakfast.',
    },
  },
];

/** A piece: about the characters of a token. */
const PIECE = /.{1,4}/gsu;
/** Milliseconds until the first piece; between two pieces, and now and then a longer time. */
const FIRST_MS = 350;
const GAP_MS = [6, 28];
const PAUSE_MS = 160;

/**
 * The data of the answer's events, each with the milliseconds after the request. The arguments of both calls come in turns, a few pieces of each.
 *
 * @returns {{ at: number, data: string }[]}
 */
export function recordedAnswer() {
  const random = new Random(11, 2);
  const chunk = (/** @type {object} */ delta, /** @type {string | null} */ finish_reason = null) => ({
    id: 'chatcmpl-demo',
    object: 'chat.completion.chunk',
    model: 'demo',
    choices: [{ index: 0, delta, finish_reason }],
  });
  const events = [chunk({ role: 'assistant', content: '' })];
  for (const piece of piecesOf(TEXT)) events.push(chunk({ content: piece }));
  const open = CALLS.map(({ id, name, arguments: value }, index) => {
    events.push(chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }));
    return { index, pieces: piecesOf(JSON.stringify(value)) };
  });
  while (open.some(({ pieces }) => pieces.length > 0)) {
    for (const { index, pieces } of open) {
      for (const piece of pieces.splice(0, 2 + random.below(5))) events.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  }
  events.push(chunk({}, 'tool_calls'));
  const usage = { prompt_tokens: 214, completion_tokens: events.length - 2, total_tokens: 212 + events.length };
  let at = FIRST_MS;
  return [...events, { ...chunk({}), choices: [], usage }].map((event) => {
    const [least = 0, most = 0] = GAP_MS;
    at += random.below(20) === 0 ? PAUSE_MS : least + random.below(most - least);
    return { at, data: JSON.stringify(event) };
  });
}

/**
 * A text in pieces, which may begin or end inside a word, but not inside a character.
 *
 * @param {string} text
 * @returns {string[]}
 */
function piecesOf(text) {
  return text.match(PIECE) ?? [];
}
