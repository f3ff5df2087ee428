// Nothing of Node's `stream` is called while payloads are decoded.
export default {};

/** Base classes that are extended and never made. */
export class Readable {}
export class Transform {}
export class Duplex {}
