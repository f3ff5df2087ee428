/** @type {import('../contender.js').Setup} */
export const setup = () => {
  const text = new TextEncoder();
  return { encode: (value) => text.encode(JSON.stringify(value)) };
};
