// Nothing of Node's `fs` is called while payloads are decoded.
export default {};
