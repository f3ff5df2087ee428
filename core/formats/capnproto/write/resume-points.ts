import type { FieldNode, TypeNode } from './plan.ts';

/** Bytes that were written, of which pointers are still to be filled in: they stay where they are until the message ends. */
export interface Region {
  readonly view: DataView;
  /** Where it is in the view, and in the output. */
  readonly at: number;
  readonly offset: number;
}

/** The fields of a struct that are pointers, with their values. */
export interface Pointers {
  readonly fields: readonly FieldNode[];
  readonly items: readonly unknown[];
  /** The keys that lead to each. */
  readonly steps: readonly string[];
}

/** The same, while they are collected. */
export interface Found {
  readonly fields: FieldNode[];
  readonly items: unknown[];
  readonly steps: string[];
}

export interface StructPlace {
  readonly kind: 'struct';
  readonly pointers: Pointers;
  readonly region: Region;
  readonly next: number;
}

export interface ListPlace {
  readonly kind: 'list' | 'structs' | 'scalars';
  readonly node: TypeNode;
  readonly region: Region;
  readonly next: number;
}

export type Place = StructPlace | ListPlace;
