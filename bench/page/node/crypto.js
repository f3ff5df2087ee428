// Nothing of Node's `crypto` is called while payloads are decoded.
export default {};
