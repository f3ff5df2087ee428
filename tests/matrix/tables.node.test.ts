import { expect, test } from 'vitest';
import { FORMATS as KNOWN, NAMED_FORMS } from '../../core/formats/registry.ts';
import { isChosen, PAIRS, STATES } from './cases.ts';
import { FORMATS } from './formats.ts';
import { SHAPES } from './shapes.ts';
import { WAYS } from './ways.ts';

test('every format of the registry has a line', () => {
  expect(new Set(FORMATS.map(({ id }) => id))).toEqual(new Set([...KNOWN, ...NAMED_FORMS].map(({ id }) => id)));
});

test('no two lines of a table have the same name', () => {
  for (const table of [WAYS, FORMATS, SHAPES, STATES]) expect(new Set(table.map(({ name }) => name)).size).toBe(table.length);
});

test('every shape is made in some format', () => {
  expect(SHAPES.filter((shape) => !PAIRS.some((pair) => pair.shape === shape))).toEqual([]);
});

test('one case in twenty takes every way, format, shape and state', () => {
  const taken = new Set<object>();
  for (const { line, shape, format, index } of PAIRS) {
    for (const [at, state] of STATES.entries()) {
      for (const [place, way] of WAYS.entries()) {
        if (isChosen(20, place, format, index, at)) for (const one of [line, shape, state, way]) taken.add(one);
      }
    }
  }
  const missing = [...WAYS, ...FORMATS, ...SHAPES, ...STATES].filter((one) => !taken.has(one)).map(({ name }) => name);
  expect(missing).toEqual([]);
  if (process.env['COUNTS']) {
    const cases = PAIRS.length * STATES.length * WAYS.length;
    console.log(
      `${WAYS.length} ways, ${FORMATS.length} formats, ${SHAPES.length} shapes, ${STATES.length} states: ${PAIRS.length} payloads, ${cases} values, ${PAIRS.length * WAYS.length} of work`,
    );
  }
});
