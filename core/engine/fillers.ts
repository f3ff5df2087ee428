// Written by `scripts/generate/unrolled.mjs`.

type Row = Record<string, unknown>;

/** Maximum number of columns that a filler fills. */
export const FILLED_COLUMNS = 16;

/** Fills the first `width` keys of `rows` from columns, in new copies of a template, or in the existing rows without one. */
export type Filler = (
  template: Row | undefined,
  keys: readonly string[],
  columns: readonly ArrayLike<unknown>[],
  width: number,
  rows: Row[],
) => void;

/** Identical functions: see `fill.ts`. */
export const FILLERS: readonly Filler[] = [
  (template, [k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15], [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15], width, rows) => {
    for (let r = 0; r < rows.length; r++) {
      const row = template ? (rows[r] = { ...template }) : rows[r]!;
      if (width === 0) continue; row[k0!] = c0![r]; if (width === 1) continue; row[k1!] = c1![r]; if (width === 2) continue; row[k2!] = c2![r]; if (width === 3) continue; row[k3!] = c3![r];
      if (width === 4) continue; row[k4!] = c4![r]; if (width === 5) continue; row[k5!] = c5![r]; if (width === 6) continue; row[k6!] = c6![r]; if (width === 7) continue; row[k7!] = c7![r];
      if (width === 8) continue; row[k8!] = c8![r]; if (width === 9) continue; row[k9!] = c9![r]; if (width === 10) continue; row[k10!] = c10![r]; if (width === 11) continue; row[k11!] = c11![r];
      if (width === 12) continue; row[k12!] = c12![r]; if (width === 13) continue; row[k13!] = c13![r]; if (width === 14) continue; row[k14!] = c14![r]; if (width === 15) continue; row[k15!] = c15![r];
    }
  },
  (template, [k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15], [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15], width, rows) => {
    for (let r = 0; r < rows.length; r++) {
      const row = template ? (rows[r] = { ...template }) : rows[r]!;
      if (width === 0) continue; row[k0!] = c0![r]; if (width === 1) continue; row[k1!] = c1![r]; if (width === 2) continue; row[k2!] = c2![r]; if (width === 3) continue; row[k3!] = c3![r];
      if (width === 4) continue; row[k4!] = c4![r]; if (width === 5) continue; row[k5!] = c5![r]; if (width === 6) continue; row[k6!] = c6![r]; if (width === 7) continue; row[k7!] = c7![r];
      if (width === 8) continue; row[k8!] = c8![r]; if (width === 9) continue; row[k9!] = c9![r]; if (width === 10) continue; row[k10!] = c10![r]; if (width === 11) continue; row[k11!] = c11![r];
      if (width === 12) continue; row[k12!] = c12![r]; if (width === 13) continue; row[k13!] = c13![r]; if (width === 14) continue; row[k14!] = c14![r]; if (width === 15) continue; row[k15!] = c15![r];
    }
  },
  (template, [k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15], [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15], width, rows) => {
    for (let r = 0; r < rows.length; r++) {
      const row = template ? (rows[r] = { ...template }) : rows[r]!;
      if (width === 0) continue; row[k0!] = c0![r]; if (width === 1) continue; row[k1!] = c1![r]; if (width === 2) continue; row[k2!] = c2![r]; if (width === 3) continue; row[k3!] = c3![r];
      if (width === 4) continue; row[k4!] = c4![r]; if (width === 5) continue; row[k5!] = c5![r]; if (width === 6) continue; row[k6!] = c6![r]; if (width === 7) continue; row[k7!] = c7![r];
      if (width === 8) continue; row[k8!] = c8![r]; if (width === 9) continue; row[k9!] = c9![r]; if (width === 10) continue; row[k10!] = c10![r]; if (width === 11) continue; row[k11!] = c11![r];
      if (width === 12) continue; row[k12!] = c12![r]; if (width === 13) continue; row[k13!] = c13![r]; if (width === 14) continue; row[k14!] = c14![r]; if (width === 15) continue; row[k15!] = c15![r];
    }
  },
  (template, [k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15], [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15], width, rows) => {
    for (let r = 0; r < rows.length; r++) {
      const row = template ? (rows[r] = { ...template }) : rows[r]!;
      if (width === 0) continue; row[k0!] = c0![r]; if (width === 1) continue; row[k1!] = c1![r]; if (width === 2) continue; row[k2!] = c2![r]; if (width === 3) continue; row[k3!] = c3![r];
      if (width === 4) continue; row[k4!] = c4![r]; if (width === 5) continue; row[k5!] = c5![r]; if (width === 6) continue; row[k6!] = c6![r]; if (width === 7) continue; row[k7!] = c7![r];
      if (width === 8) continue; row[k8!] = c8![r]; if (width === 9) continue; row[k9!] = c9![r]; if (width === 10) continue; row[k10!] = c10![r]; if (width === 11) continue; row[k11!] = c11![r];
      if (width === 12) continue; row[k12!] = c12![r]; if (width === 13) continue; row[k13!] = c13![r]; if (width === 14) continue; row[k14!] = c14![r]; if (width === 15) continue; row[k15!] = c15![r];
    }
  },
  (template, [k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15], [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15], width, rows) => {
    for (let r = 0; r < rows.length; r++) {
      const row = template ? (rows[r] = { ...template }) : rows[r]!;
      if (width === 0) continue; row[k0!] = c0![r]; if (width === 1) continue; row[k1!] = c1![r]; if (width === 2) continue; row[k2!] = c2![r]; if (width === 3) continue; row[k3!] = c3![r];
      if (width === 4) continue; row[k4!] = c4![r]; if (width === 5) continue; row[k5!] = c5![r]; if (width === 6) continue; row[k6!] = c6![r]; if (width === 7) continue; row[k7!] = c7![r];
      if (width === 8) continue; row[k8!] = c8![r]; if (width === 9) continue; row[k9!] = c9![r]; if (width === 10) continue; row[k10!] = c10![r]; if (width === 11) continue; row[k11!] = c11![r];
      if (width === 12) continue; row[k12!] = c12![r]; if (width === 13) continue; row[k13!] = c13![r]; if (width === 14) continue; row[k14!] = c14![r]; if (width === 15) continue; row[k15!] = c15![r];
    }
  },
  (template, [k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15], [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15], width, rows) => {
    for (let r = 0; r < rows.length; r++) {
      const row = template ? (rows[r] = { ...template }) : rows[r]!;
      if (width === 0) continue; row[k0!] = c0![r]; if (width === 1) continue; row[k1!] = c1![r]; if (width === 2) continue; row[k2!] = c2![r]; if (width === 3) continue; row[k3!] = c3![r];
      if (width === 4) continue; row[k4!] = c4![r]; if (width === 5) continue; row[k5!] = c5![r]; if (width === 6) continue; row[k6!] = c6![r]; if (width === 7) continue; row[k7!] = c7![r];
      if (width === 8) continue; row[k8!] = c8![r]; if (width === 9) continue; row[k9!] = c9![r]; if (width === 10) continue; row[k10!] = c10![r]; if (width === 11) continue; row[k11!] = c11![r];
      if (width === 12) continue; row[k12!] = c12![r]; if (width === 13) continue; row[k13!] = c13![r]; if (width === 14) continue; row[k14!] = c14![r]; if (width === 15) continue; row[k15!] = c15![r];
    }
  },
  (template, [k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15], [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15], width, rows) => {
    for (let r = 0; r < rows.length; r++) {
      const row = template ? (rows[r] = { ...template }) : rows[r]!;
      if (width === 0) continue; row[k0!] = c0![r]; if (width === 1) continue; row[k1!] = c1![r]; if (width === 2) continue; row[k2!] = c2![r]; if (width === 3) continue; row[k3!] = c3![r];
      if (width === 4) continue; row[k4!] = c4![r]; if (width === 5) continue; row[k5!] = c5![r]; if (width === 6) continue; row[k6!] = c6![r]; if (width === 7) continue; row[k7!] = c7![r];
      if (width === 8) continue; row[k8!] = c8![r]; if (width === 9) continue; row[k9!] = c9![r]; if (width === 10) continue; row[k10!] = c10![r]; if (width === 11) continue; row[k11!] = c11![r];
      if (width === 12) continue; row[k12!] = c12![r]; if (width === 13) continue; row[k13!] = c13![r]; if (width === 14) continue; row[k14!] = c14![r]; if (width === 15) continue; row[k15!] = c15![r];
    }
  },
  (template, [k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15], [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15], width, rows) => {
    for (let r = 0; r < rows.length; r++) {
      const row = template ? (rows[r] = { ...template }) : rows[r]!;
      if (width === 0) continue; row[k0!] = c0![r]; if (width === 1) continue; row[k1!] = c1![r]; if (width === 2) continue; row[k2!] = c2![r]; if (width === 3) continue; row[k3!] = c3![r];
      if (width === 4) continue; row[k4!] = c4![r]; if (width === 5) continue; row[k5!] = c5![r]; if (width === 6) continue; row[k6!] = c6![r]; if (width === 7) continue; row[k7!] = c7![r];
      if (width === 8) continue; row[k8!] = c8![r]; if (width === 9) continue; row[k9!] = c9![r]; if (width === 10) continue; row[k10!] = c10![r]; if (width === 11) continue; row[k11!] = c11![r];
      if (width === 12) continue; row[k12!] = c12![r]; if (width === 13) continue; row[k13!] = c13![r]; if (width === 14) continue; row[k14!] = c14![r]; if (width === 15) continue; row[k15!] = c15![r];
    }
  },
  (template, [k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15], [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15], width, rows) => {
    for (let r = 0; r < rows.length; r++) {
      const row = template ? (rows[r] = { ...template }) : rows[r]!;
      if (width === 0) continue; row[k0!] = c0![r]; if (width === 1) continue; row[k1!] = c1![r]; if (width === 2) continue; row[k2!] = c2![r]; if (width === 3) continue; row[k3!] = c3![r];
      if (width === 4) continue; row[k4!] = c4![r]; if (width === 5) continue; row[k5!] = c5![r]; if (width === 6) continue; row[k6!] = c6![r]; if (width === 7) continue; row[k7!] = c7![r];
      if (width === 8) continue; row[k8!] = c8![r]; if (width === 9) continue; row[k9!] = c9![r]; if (width === 10) continue; row[k10!] = c10![r]; if (width === 11) continue; row[k11!] = c11![r];
      if (width === 12) continue; row[k12!] = c12![r]; if (width === 13) continue; row[k13!] = c13![r]; if (width === 14) continue; row[k14!] = c14![r]; if (width === 15) continue; row[k15!] = c15![r];
    }
  },
  (template, [k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15], [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15], width, rows) => {
    for (let r = 0; r < rows.length; r++) {
      const row = template ? (rows[r] = { ...template }) : rows[r]!;
      if (width === 0) continue; row[k0!] = c0![r]; if (width === 1) continue; row[k1!] = c1![r]; if (width === 2) continue; row[k2!] = c2![r]; if (width === 3) continue; row[k3!] = c3![r];
      if (width === 4) continue; row[k4!] = c4![r]; if (width === 5) continue; row[k5!] = c5![r]; if (width === 6) continue; row[k6!] = c6![r]; if (width === 7) continue; row[k7!] = c7![r];
      if (width === 8) continue; row[k8!] = c8![r]; if (width === 9) continue; row[k9!] = c9![r]; if (width === 10) continue; row[k10!] = c10![r]; if (width === 11) continue; row[k11!] = c11![r];
      if (width === 12) continue; row[k12!] = c12![r]; if (width === 13) continue; row[k13!] = c13![r]; if (width === 14) continue; row[k14!] = c14![r]; if (width === 15) continue; row[k15!] = c15![r];
    }
  },
  (template, [k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15], [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15], width, rows) => {
    for (let r = 0; r < rows.length; r++) {
      const row = template ? (rows[r] = { ...template }) : rows[r]!;
      if (width === 0) continue; row[k0!] = c0![r]; if (width === 1) continue; row[k1!] = c1![r]; if (width === 2) continue; row[k2!] = c2![r]; if (width === 3) continue; row[k3!] = c3![r];
      if (width === 4) continue; row[k4!] = c4![r]; if (width === 5) continue; row[k5!] = c5![r]; if (width === 6) continue; row[k6!] = c6![r]; if (width === 7) continue; row[k7!] = c7![r];
      if (width === 8) continue; row[k8!] = c8![r]; if (width === 9) continue; row[k9!] = c9![r]; if (width === 10) continue; row[k10!] = c10![r]; if (width === 11) continue; row[k11!] = c11![r];
      if (width === 12) continue; row[k12!] = c12![r]; if (width === 13) continue; row[k13!] = c13![r]; if (width === 14) continue; row[k14!] = c14![r]; if (width === 15) continue; row[k15!] = c15![r];
    }
  },
  (template, [k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15], [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15], width, rows) => {
    for (let r = 0; r < rows.length; r++) {
      const row = template ? (rows[r] = { ...template }) : rows[r]!;
      if (width === 0) continue; row[k0!] = c0![r]; if (width === 1) continue; row[k1!] = c1![r]; if (width === 2) continue; row[k2!] = c2![r]; if (width === 3) continue; row[k3!] = c3![r];
      if (width === 4) continue; row[k4!] = c4![r]; if (width === 5) continue; row[k5!] = c5![r]; if (width === 6) continue; row[k6!] = c6![r]; if (width === 7) continue; row[k7!] = c7![r];
      if (width === 8) continue; row[k8!] = c8![r]; if (width === 9) continue; row[k9!] = c9![r]; if (width === 10) continue; row[k10!] = c10![r]; if (width === 11) continue; row[k11!] = c11![r];
      if (width === 12) continue; row[k12!] = c12![r]; if (width === 13) continue; row[k13!] = c13![r]; if (width === 14) continue; row[k14!] = c14![r]; if (width === 15) continue; row[k15!] = c15![r];
    }
  },
];
