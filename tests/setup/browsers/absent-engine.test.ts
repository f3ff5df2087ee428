import { test } from 'vitest';

test.skip(`${process.env['ENGINE']}: not found, its tests are skipped`, () => {});
