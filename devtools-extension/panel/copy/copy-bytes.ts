/** Bytes as source text: what stands around them, and how each is written, in hexadecimal digits. */
interface Language {
  id: string;
  label: string;
  write: (lines: (each: (hex: string) => string) => string, length: number) => string;
}

const literal = (hex: string): string => `0x${hex}`;

/** Languages in which bytes can be copied. */
export const BYTE_LANGUAGES: readonly Language[] = [
  { id: 'c', label: 'C array', write: (lines, length) => `const unsigned char data[${length}] = {\n${lines(literal)}\n};` },
  { id: 'cpp', label: 'C++ array', write: (lines, length) => `constexpr std::array<unsigned char, ${length}> data = {\n${lines(literal)}\n};` },
  { id: 'csharp', label: 'C# array', write: (lines) => `byte[] data = {\n${lines(literal)}\n};` },
  { id: 'go', label: 'Go slice', write: (lines) => `data := []byte{\n${lines(literal)},\n}` },
  // Bytes have a sign there.
  { id: 'java', label: 'Java array', write: (lines) => `byte[] data = {\n${lines((hex) => (hex < '80' ? literal(hex) : `(byte) 0x${hex}`))}\n};` },
  { id: 'js', label: 'Uint8Array', write: (lines) => `Uint8Array.of(\n${lines(literal)}\n)` },
  { id: 'python', label: 'Python bytes', write: (lines) => `data = bytes([\n${lines(literal)}\n])` },
  { id: 'rust', label: 'Rust array', write: (lines, length) => `let data: [u8; ${length}] = [\n${lines(literal)}\n];` },
];

/** Bytes of a line. */
const EACH_LINE = 12;

/** Bytes as source text in a language. */
export function bytesIn(id: string, bytes: Uint8Array): string {
  const { write } = BYTE_LANGUAGES.find((language) => language.id === id)!;
  const lines = (each: (hex: string) => string): string => {
    const texts = Array.from(bytes, (byte) => each(byte.toString(16).padStart(2, '0')));
    const made: string[] = [];
    for (let at = 0; at < texts.length; at += EACH_LINE) made.push(`  ${texts.slice(at, at + EACH_LINE).join(', ')}`);
    return made.join(',\n');
  };
  return write(lines, bytes.length);
}
