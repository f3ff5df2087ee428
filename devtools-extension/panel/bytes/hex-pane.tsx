import { useRef } from 'preact/hooks';
import { columnsFor, digitsFor, groupOf } from './hex-layout.ts';
import { copyText } from '../copy/copy.ts';
import type { Panel } from '../panel.ts';
import type { OpenBody, Part } from '../body/open-body.ts';
import { ByteInspector } from './byte-inspector.tsx';
import { type Size, useSize } from '../shared/use-size.ts';
import { VirtualList } from '../shared/virtual-list.tsx';

const ROW = 20;
const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Size of the last layout: the initial value for the next body. */
let lastSize: Size = { width: 600, height: 500 };

export function HexPane({ panel, body }: { panel: Panel; body: OpenBody }) {
  const { bytes } = body;
  const element = useRef<HTMLDivElement>(null);
  lastSize = useSize(element, lastSize).value;
  const perRow = columnsFor(lastSize.width, bytes.length);
  const byte = body.byte.value;
  const selected = body.selected.value;
  const parts = body.parts(selected);
  const shown = byte >= 0 ? byte : (parts[0]?.from ?? -1);
  const errorAt = body.error?.offset === undefined ? -1 : Math.min(body.error.offset, bytes.length - 1);
  const digits = digitsFor(bytes.length);
  const move = (by: number): void => body.selectByte((byte >= 0 ? byte : Math.max(0, shown)) + by);
  const keys: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -perRow,
    ArrowDown: perRow,
    PageUp: -perRow * 16,
    PageDown: perRow * 16,
    Home: -bytes.length,
    End: bytes.length,
  };
  return (
    <div class="hex-pane" ref={element}>
      <VirtualList
        class="hex"
        role="grid"
        label="Bytes"
        count={Math.ceil(bytes.length / perRow)}
        columnCount={3}
        rowHeight={ROW}
        show={shown < 0 ? -1 : Math.floor(shown / perRow)}
        showKey={`${selected} ${byte}`}
        leads={byte < 0}
        activeId={shown < 0 ? undefined : `hex-${Math.floor(shown / perRow)}`}
        row={(at) => <HexRow key={at} bytes={bytes} row={at} perRow={perRow} digits={digits} parts={parts} cursor={byte} errorAt={errorAt} />}
        onKeyDown={(event) => {
          if (event.key === 'c' && (event.ctrlKey || event.metaKey) && String(getSelection()) === '') {
            event.preventDefault();
            void panel.copy(copyText('hex', body), 'Bytes');
            return;
          }
          const by = keys[event.key];
          if (by === undefined || bytes.length === 0) return;
          event.preventDefault();
          move(by);
        }}
        onPointerDown={(event) => {
          const offset = offsetUnder(event, perRow);
          if (offset >= 0 && offset < bytes.length) body.selectByte(offset);
        }}
      />
      <ByteInspector body={body} />
    </div>
  );
}

/** Byte under the pointer. All characters have the same width. */
function offsetUnder(event: PointerEvent, perRow: number): number {
  const cell = (event.target as Element).closest<HTMLElement>('[data-start]');
  if (!cell) return -1;
  const box = cell.getBoundingClientRect();
  const at = Math.floor(((event.clientX - box.left) / box.width) * cell.textContent.length);
  const start = Number(cell.dataset['start']);
  if (cell.classList.contains('hex-text')) return start + Math.min(at, perRow - 1);
  const size = groupOf(perRow);
  const group = Math.floor(at / (size * 3 + 1));
  const pair = Math.min(size - 1, Math.floor((at - group * (size * 3 + 1)) / 3));
  return start + Math.min(group * size + pair, perRow - 1);
}

interface HexRowProps {
  bytes: Uint8Array;
  row: number;
  perRow: number;
  digits: number;
  parts: readonly Part[];
  cursor: number;
  errorAt: number;
}

function HexRow({ bytes, row, perRow, digits, parts, cursor, errorAt }: HexRowProps) {
  const start = row * perRow;
  const group = groupOf(perRow);
  const end = Math.min(bytes.length, start + perRow);
  const runs: { tint: string; from: number; end: number }[] = [];
  for (let at = start; at < end; at += 1) {
    let tint = '';
    for (const part of parts) if (at >= part.from && at < part.end) tint = `tint-${part.name}`;
    if (at === errorAt) tint += ' is-error';
    if (at === cursor) tint += ' is-cursor';
    const last = runs.at(-1);
    if (last?.tint === tint) last.end = at + 1;
    else runs.push({ tint, from: at, end: at + 1 });
  }
  const hexOf = (from: number, to: number, isLast: boolean): string => {
    let text = '';
    for (let at = from; at < to; at += 1) {
      text += PAIRS[bytes[at]!]!;
      if (at < to - 1 || !isLast) text += (at - start) % group === group - 1 && at - start < perRow - 1 ? '  ' : ' ';
    }
    return text;
  };
  const width = perRow * 3 - 1 + perRow / group - 1;
  let written = 0;
  const cells = runs.map(({ tint, from, end: to }) => {
    const text = hexOf(from, to, to === end);
    written += text.length;
    // The space after a run is not tinted.
    const trimmed = text.trimEnd();
    return (
      <>
        <span class={tint || undefined}>{trimmed}</span>
        {text.slice(trimmed.length)}
      </>
    );
  });
  return (
    <div class="hex-row" role="row" id={`hex-${row}`} aria-rowindex={row + 1}>
      <span class="hex-offset" role="rowheader">
        {start.toString(16).padStart(digits, '0')}
      </span>
      <span class="hex-bytes" role="gridcell" data-start={start}>
        {cells}
        {' '.repeat(Math.max(0, width - written))}
      </span>
      <span class="hex-text" role="gridcell" data-start={start}>
        {runs.map(({ tint, from, end: to }) => (
          <span class={tint || undefined} key={from}>
            {textOf(bytes, from, to)}
          </span>
        ))}
        {' '.repeat(start + perRow - end)}
      </span>
    </div>
  );
}

function textOf(bytes: Uint8Array, from: number, end: number): string {
  let text = '';
  for (let at = from; at < end; at += 1) text += bytes[at]! >= 0x20 && bytes[at]! < 0x7f ? String.fromCharCode(bytes[at]!) : '·';
  return text;
}
