declare module 'bz2' {
  const bz2: { decompress(bytes: Uint8Array): Uint8Array };
  export default bz2;
}
