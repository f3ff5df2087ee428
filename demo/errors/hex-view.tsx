import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { HEX_COLUMNS, hexLines, hexWindow, type HexLine } from './hex.ts';

/** Loads the decoded payload; undefined if it is no longer available. */
export type LoadBytes = () => Promise<Blob | undefined>;

/** Shows the bytes around an error and marks the faulty one. */
export function HexView({ offset, loadBytes }: { offset: number; loadBytes: LoadBytes }) {
  const lines = useSignal<HexLine[]>([]);
  useEffect(() => {
    let isGone = false;
    void readLines(offset, loadBytes).then((read) => {
      if (!isGone) lines.value = read;
    });
    return () => {
      isGone = true;
    };
  }, [offset, loadBytes, lines]);
  if (lines.value.length === 0) return null;
  const digits = Math.max(6, lines.value.at(-1)!.offset.toString(16).length);
  return (
    // Focusable so that it can be scrolled by keyboard.
    <pre class="hex" tabIndex={0} role="region" aria-label={`Bytes around byte ${offset}`}>
      {lines.value.map((line) => (
        <Line key={line.offset} line={line} digits={digits} />
      ))}
    </pre>
  );
}

function Line({ line: { offset, bytes }, digits }: { line: HexLine; digits: number }) {
  return (
    <>
      <span class="hex-offset">{offset.toString(16).padStart(digits, '0')}</span>
      {'  '}
      {bytes.map(({ hex, isMarked }) => [isMarked ? <mark>{hex}</mark> : hex, ' '])}
      {'   '.repeat(HEX_COLUMNS - bytes.length)} {bytes.map(({ text, isMarked }) => (isMarked ? <mark>{text}</mark> : text))}
      {'\n'}
    </>
  );
}

async function readLines(offset: number, loadBytes: LoadBytes): Promise<HexLine[]> {
  const blob = await loadBytes();
  if (!blob || blob.size === 0) return [];
  const { start, end } = hexWindow(offset, blob.size);
  return hexLines(new Uint8Array(await blob.slice(start, end).arrayBuffer()), start, offset);
}
