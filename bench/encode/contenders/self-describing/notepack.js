import notepack from 'notepack.io';

/** @type {import('../contender.js').Setup} */
export const setup = () => ({
  encode(value) {
    const bytes = notepack.encode(value);
    // Returns an ArrayBuffer in browsers.
    return bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  },
});
