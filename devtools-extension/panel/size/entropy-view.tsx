import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type DensePart, entropyOf, type EntropyReport } from './entropy.ts';
import { formatBytes, formatCount, formatOffset, formatPercent } from '../../text/numbers.ts';
import { runSliced } from '../shared/slices.ts';

const MOST_BITS = 8;
/** Parts that are named. */
const MOST_PARTS = 12;

/** How even the bytes of a body are, block by block, and which parts look compressed or encrypted. */
export function EntropyView({ bytes, areValuesOpen, onShow }: { bytes: Uint8Array; areValuesOpen: boolean; onShow: (offset: number) => void }) {
  const report = useSignal<EntropyReport | undefined>(undefined);
  useEffect(() => {
    let isGone = false;
    report.value = undefined;
    void runSliced(entropyOf(bytes), () => isGone).then((done) => {
      if (done && !isGone) report.value = done;
    });
    return () => {
      isGone = true;
    };
  }, [bytes]);
  if (!report.value || bytes.length === 0) return null;
  const { whole, blocks, blockSize, values, dense } = report.value;
  return (
    <section class="entropy" aria-label="Entropy">
      <h3>
        Entropy <span class="muted">{whole.toFixed(2)} of 8 bits a byte</span>
        {blocks.length > 1 && <span class="muted">, in blocks of {formatCount(blockSize)} bytes</span>}
      </h3>
      {blocks.length > 1 && <Chart report={report.value} length={bytes.length} />}
      <DenseParts parts={dense} length={bytes.length} onShow={onShow} />
      <Values counts={values} length={bytes.length} isOpen={areValuesOpen} />
    </section>
  );
}

function Chart({ report: { blocks, blockSize, dense, whole }, length }: { report: EntropyReport; length: number }) {
  const isDense = (at: number): boolean => dense.some(({ from, end }) => at >= from && at < end);
  const label = `Entropy by block: ${whole.toFixed(2)} bits a byte in all, from ${Math.min(...blocks).toFixed(2)} to ${Math.max(...blocks).toFixed(2)}`;
  return (
    <div class="entropy-chart">
      <div class="entropy-scale muted" aria-hidden="true">
        <span>8</span>
        <span>4</span>
        <span>0</span>
      </div>
      <svg class="entropy-bars" viewBox={`0 0 ${blocks.length} ${MOST_BITS}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {Array.from(blocks, (bits, index) => (
          <rect
            key={index}
            class={isDense(index * blockSize) ? 'is-dense' : undefined}
            x={index}
            y={MOST_BITS - bits}
            width={1}
            height={bits}
            shape-rendering="crispEdges"
          >
            <title>
              {formatOffset(index * blockSize)}: {bits.toFixed(2)} bits a byte
            </title>
          </rect>
        ))}
      </svg>
      <div class="entropy-offsets muted" aria-hidden="true">
        <span>{formatOffset(0)}</span>
        <span>{formatOffset(length)}</span>
      </div>
    </div>
  );
}

/** Where bytes look compressed or encrypted, in words. */
function DenseParts({ parts, length, onShow }: { parts: readonly DensePart[]; length: number; onShow: (offset: number) => void }) {
  if (parts.length === 0) return <p class="muted">No part looks compressed or encrypted.</p>;
  if (parts.length === 1 && parts[0]!.from === 0 && parts[0]!.end === length) return <p>All of it looks compressed or encrypted.</p>;
  return (
    <div class="choices">
      <span>Looks compressed or encrypted:</span>
      {parts.slice(0, MOST_PARTS).map(({ from, end, bits }) => (
        <button class="button button-small" key={from} title="Show these bytes" onClick={() => onShow(from)}>
          {formatOffset(from)} to {formatOffset(end)}, {formatBytes(end - from)}, {bits.toFixed(2)} bits
        </button>
      ))}
      {parts.length > MOST_PARTS && <span class="muted">and {formatCount(parts.length - MOST_PARTS)} more</span>}
    </div>
  );
}

/** How often each byte value comes, by the square root, so that rare ones are seen. */
function Values({ counts, length, isOpen }: { counts: Float64Array; length: number; isOpen: boolean }) {
  const most = Math.max(...counts);
  const common = Array.from(counts, (count, value) => ({ count, value }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, 5)
    .filter(({ count }) => count > 0)
    .map(({ count, value }) => `${byteName(value)} ${formatPercent(count / length)}`)
    .join(', ');
  return (
    <details class="entropy-details" open={isOpen}>
      <summary>
        <strong>Byte values</strong> <span class="muted">most: {common}</span>
      </summary>
      <div class="entropy-chart entropy-values">
        <svg class="entropy-bars" viewBox="0 0 256 1" preserveAspectRatio="none" role="img" aria-label={`How often each byte value comes: ${common}`}>
          {Array.from(counts, (count, value) => {
            const height = Math.sqrt(count / most);
            return (
              <rect key={value} x={value} y={1 - height} width={1} height={height} shape-rendering="crispEdges">
                <title>
                  {byteName(value)}: {formatCount(count)}, {formatPercent(count / length)}
                </title>
              </rect>
            );
          })}
        </svg>
        <div class="entropy-offsets muted" aria-hidden="true">
          <span>00</span>
          <span>7f</span>
          <span>ff</span>
        </div>
      </div>
    </details>
  );
}

/** A byte value in hexadecimal, with the character that it may be. */
function byteName(value: number): string {
  const hex = value.toString(16).padStart(2, '0');
  return value > 0x20 && value < 0x7f ? `${hex} “${String.fromCharCode(value)}”` : hex;
}
