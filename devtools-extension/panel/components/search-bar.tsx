import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatCount } from '../models/numbers.ts';
import type { OpenBody } from '../models/open-body.ts';
import { search, type SearchIn } from '../models/search.ts';
import { runSliced } from '../models/slices.ts';

const PLACES: readonly { value: SearchIn; label: string }[] = [
  { value: 'all', label: 'Keys and values' },
  { value: 'keys', label: 'Keys' },
  { value: 'values', label: 'Values' },
  { value: 'types', label: 'Types' },
  { value: 'hex', label: 'Hex bytes' },
];

export function SearchBar({ body, tools }: { body: OpenBody; tools: ComponentChildren }) {
  const text = useSignal('');
  const where = useSignal<SearchIn>('all');
  const found = useSignal<readonly number[] | undefined>(undefined);
  const at = useSignal(-1);
  const run = useRef(0);

  useEffect(() => {
    const mine = ++run.current;
    at.value = -1;
    if (text.value.trim() === '') found.value = undefined;
    const timer = setTimeout(() => {
      void runSliced(search(body, text.value, where.value), () => mine !== run.current).then((nodes) => {
        if (nodes && mine === run.current && text.value.trim() !== '') found.value = nodes;
      });
    }, 120);
    return () => clearTimeout(timer);
  }, [body, text.value, where.value]);

  const go = (step: number): void => {
    const nodes = found.value;
    if (!nodes || nodes.length === 0) return;
    at.value = at.value < 0 && step < 0 ? nodes.length - 1 : (at.value + step + nodes.length) % nodes.length;
    body.select(nodes[at.value]!);
  };
  const nodes = found.value;
  return (
    <div class="search" role="search">
      <input
        class="field search-field"
        type="search"
        placeholder="Search"
        aria-label="Search in the value"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
        }}
      />
      <select
        class="field"
        aria-label="Search in"
        value={where.value}
        onChange={(event) => {
          where.value = event.currentTarget.value as SearchIn;
        }}
      >
        {PLACES.map(({ value, label }) => (
          <option value={value} key={value}>
            {label}
          </option>
        ))}
      </select>
      <button class="button button-icon" aria-label="Previous" disabled={!nodes?.length} onClick={() => go(-1)}>
        ↑
      </button>
      <button class="button button-icon" aria-label="Next" disabled={!nodes?.length} onClick={() => go(1)}>
        ↓
      </button>
      <span class="muted search-count" role="status">
        {nodes && (nodes.length === 0 ? 'nothing found' : `${at.value >= 0 ? `${formatCount(at.value + 1)} of ` : ''}${formatCount(nodes.length)}${nodes.length >= 10_000 ? ' or more' : ''} found`)}
      </span>
      <span class="search-tools">{tools}</span>
    </div>
  );
}
