/** Position of the first byte from `at` on that is not JSON white space. */
export function skipWhite(at: usize): usize {
  let byte = load<u8>(at);
  while (byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09) byte = load<u8>(++at);
  return at;
}
