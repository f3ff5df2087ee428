// Nothing of Node's `zlib` is called while payloads are decoded.
export default {};
