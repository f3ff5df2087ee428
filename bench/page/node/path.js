// Nothing of Node's `path` is called while payloads are decoded.
export default {};
