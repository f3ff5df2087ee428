import { frameLevel } from '../frames/frames.ts';
import { formatCount, formatMs } from '../ui/numbers.ts';
import type { Refetch } from './refetching.ts';

const FIGURES: readonly { label: string; of: (refetch: Refetch) => number; isBlock?: boolean; isCount?: boolean }[] = [
  { label: 'Longest block', of: ({ recording }) => recording.longestBlock, isBlock: true },
  { label: 'Value after', of: ({ readyMs }) => readyMs },
  { label: 'Same objects', of: ({ kept }) => kept ?? 0, isCount: true },
];

/** Figures of the latest refetch, and their medians. */
export function LaneFigures({ title, refetches }: { title: string; refetches: readonly Refetch[] }) {
  return (
    <table class="figures">
      <caption class="visually-hidden">Refetches by {title}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">latest</th>
          <th scope="col">median</th>
        </tr>
      </thead>
      <tbody>
        {FIGURES.map(({ label, of, isBlock = false, isCount = false }) => {
          const values = refetches.map(of);
          return (
            <tr key={label}>
              <th scope="row">{label}</th>
              {[values[0], median(values)].map((value, index) => (
                <td key={index} class={isBlock && value !== undefined ? `level-${frameLevel(value)}` : ''}>
                  {value === undefined ? '–' : isCount ? formatCount(value) : formatMs(value)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
      <tfoot>
        <tr>
          <td colSpan={3}>{refetches.length === 1 ? '1 refetch' : `${refetches.length} refetches`}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
