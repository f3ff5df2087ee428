import type { FieldNode, TypeNode } from './plan.ts';

/** Bytes already written whose pointers are still to be filled in; they stay in memory until the message ends. */
export interface Region {
  readonly view: DataView;
  /** Position in the view and in the output. */
  readonly at: number;
  readonly offset: number;
}

/** Pointer fields of a struct and their values. */
export interface Pointers {
  readonly fields: readonly FieldNode[];
  readonly items: readonly unknown[];
  /** Keys that lead to each. */
  readonly steps: readonly string[];
}

/** Pointers being collected. */
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
