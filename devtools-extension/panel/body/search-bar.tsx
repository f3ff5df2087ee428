import type { ComponentChildren } from 'preact';
import { formatCount } from '../../text/numbers.ts';
import type { OpenBody } from './open-body.ts';
import type { SearchIn } from '../../reading/search/search.ts';
import { visible } from '../../text/visible-text.ts';
import { Select } from '../shared/select.tsx';
import { PatternButton } from '../shared/toggle-button.tsx';

const PLACES: readonly { value: SearchIn; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'keys', label: 'Keys' },
  { value: 'values', label: 'Values' },
  { value: 'types', label: 'Types' },
  { value: 'hex', label: 'Hex bytes' },
];

export function SearchBar({ body, tools }: { body: OpenBody; tools: ComponentChildren }) {
  const { text, where, isPattern, problem, found, at } = body.search;
  const nodes = found.value;
  return (
    <div class="search" role="search">
      <input
        class="field search-field"
        type="search"
        placeholder="Search"
        aria-label="Search in the value"
        aria-invalid={problem.value !== ''}
        value={text.value}
        onInput={(event) => {
          void body.search.find({ text: event.currentTarget.value });
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') body.search.go(event.shiftKey ? -1 : 1);
        }}
      />
      <PatternButton isOn={isPattern.value} isDisabled={where.value === 'hex'} onToggle={(isOn) => void body.search.find({ isPattern: isOn })} />
      <Select label="Search in" choices={PLACES} value={where.value} onChoose={(value) => void body.search.find({ where: value })} />
      <button class="button button-icon" aria-label="Previous" disabled={!nodes?.length} onClick={() => body.search.go(-1)}>
        ↑
      </button>
      <button class="button button-icon" aria-label="Next" disabled={!nodes?.length} onClick={() => body.search.go(1)}>
        ↓
      </button>
      <span class={`search-count ${problem.value ? 'is-problem' : 'muted'}`} role="status">
        {visible(problem.value)}
        {nodes &&
          (nodes.length === 0
            ? 'nothing found'
            : `${at.value >= 0 ? `${formatCount(at.value + 1)} of ` : ''}${formatCount(nodes.length)}${nodes.length >= 10_000 ? ' or more' : ''} found`)}
      </span>
      <span class="search-tools">{tools}</span>
    </div>
  );
}
