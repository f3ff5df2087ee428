/** The words `true`, `null` and `alse`, little-endian. */
export const TRUE = 0x65757274;
export const NULL = 0x6c6c756e;
export const ALSE = 0x65736c61;
