import notepack from 'notepack.io';

/** @type {import('../contender.js').Setup} */
export const setup = () => ({
  encode(value) {
    const bytes = notepack.encode(value);
    // In browsers it gives a buffer.
    return bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  },
});
