// Stands for Node's `stream`, which no library calls while it decodes.
export default {};

/** Base classes that are extended but never constructed. */
export class Readable {}
export class Transform {}
export class Duplex {}
