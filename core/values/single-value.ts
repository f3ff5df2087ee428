/** Types of objects that types of results and of values to encode take as one value, without looking at their properties. */
export type SingleValue =
  | ((...parameters: never[]) => unknown)
  | Date
  | RegExp
  | Error
  | URL
  | ArrayBuffer
  | ArrayBufferView
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>;
