// Stands for Node's `crypto`, `fs`, `path` and `zlib`, which no library calls while it decodes.
export default {};
