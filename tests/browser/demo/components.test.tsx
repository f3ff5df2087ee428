import { signal } from '@preact/signals';
import { describe, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-preact';
import { DownloadList } from '../../../demo/race/download-list.tsx';
import { LaneGraph } from '../../../demo/race/lane-graph.tsx';
import { ProblemView } from '../../../demo/errors/problem-view.tsx';
import { Progress } from '../../../demo/ui/progress.tsx';
import { Results } from '../../../demo/race/results.tsx';
import { Segments } from '../../../demo/ui/segments.tsx';
import type { Contender, ContenderId } from '../../../demo/contenders/contender.ts';
import type { Lane } from '../../../demo/race/race.ts';
import type { Outcome } from '../../../demo/race/runs.ts';
import { DecodeError } from '../../../core/errors.ts';
import '../../../demo/styles/index.css';

describe('Segments', () => {
  const choices = [
    { value: 'a', label: 'Apple', note: 'A fruit.' },
    { value: 'b', label: 'Beet', note: 'A root.' },
  ];

  it('changes its signal as a radio group', async () => {
    const value = signal('a');
    const screen = render(<Segments label="Food" value={value} choices={choices} />);
    await expect.element(screen.getByRole('radio', { name: 'Apple' })).toBeChecked();
    (screen.getByRole('radio', { name: 'Beet' }).element() as HTMLElement).click();
    expect(value.value).toBe('b');
    await expect.element(screen.getByText('A root.')).toBeVisible();
  });
});

describe('Progress', () => {
  it('shows a value only if it is known', async () => {
    const screen = render(<Progress label="Download" fraction={0.425} />);
    await expect.element(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '43');
    screen.rerender(<Progress label="Download" />);
    await expect.element(screen.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow');
  });
});

describe('DownloadList', () => {
  it('shows the progress of each download', async () => {
    const key = { rows: 10, encoding: 'json' } as const;
    const screen = render(
      <DownloadList
        downloads={[
          { ...key, state: 'loading', received: 12_000_000, total: 34_000_000, ms: undefined },
          { ...key, encoding: 'messagepack', state: 'ready', received: 27_000_000, total: 27_000_000, ms: 412 },
        ]}
      />,
    );
    await expect.element(screen.getByText('12.0 MB of 34.0 MB')).toBeVisible();
    await expect.element(screen.getByText('27.0 MB in 412 ms')).toBeVisible();
  });
});

describe('ProblemView', () => {
  it('shows a decode error with its position and bytes', async () => {
    const error = new DecodeError('invalid-utf8', 'byte 0xc1 is not UTF-8', {
      format: 'json',
      offset: 20,
      path: ['trips', 1, 'name'],
    });
    const bytes = new Uint8Array(64).fill(0x61);
    bytes[20] = 0xc1;
    const loadBytes = vi.fn(() => Promise.resolve(new Blob([bytes])));
    const screen = render(<ProblemView error={error} by="Unspool" loadBytes={loadBytes} />);
    await expect.element(screen.getByRole('alert')).toHaveTextContent('The payload contains an invalid byte');
    await expect.element(screen.getByText('$.trips[1].name')).toBeVisible();
    const region = screen.getByRole('region', { name: 'Bytes around byte 20' });
    await expect.element(region).toBeVisible();
    expect([...region.element().querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['c1', '·']);
    expect(region.element().textContent.split('\n')[1]).toBe('000010  61 61 61 61 c1 61 61 61 61 61 61 61 61 61 61 61  aaaa·aaaaaaaaaaa');
  });
});

describe('LaneGraph', () => {
  it('tolerates an observer that reports its size after its removal', async () => {
    const callbacks: (() => void)[] = [];
    class LateObserver {
      constructor(callback: () => void) {
        callbacks.push(callback);
      }
      observe(): void {}
      disconnect(): void {}
    }
    vi.stubGlobal('ResizeObserver', LateObserver);
    const palette = signal({ smooth: 'green', late: 'orange', blocked: 'red', line: 'gray', text: 'black', accent: 'blue' });
    const recording = { frames: [{ start: 0, duration: 16 }], longestBlock: 3, wasHidden: false };
    const screen = render(<LaneGraph recording={recording} marks={[10]} end={100} palette={palette} />);
    await expect.element(screen.getByRole('img')).toBeVisible();
    await expect.poll(() => callbacks.length).toBe(1);
    screen.unmount();
    expect(callbacks[0]).not.toThrow();
    vi.unstubAllGlobals();
  });
});

describe('Results', () => {
  const outcome = (ms: number): Outcome => ({
    encoding: 'json',
    bytes: 1,
    rowCount: 1,
    readyMs: ms,
    totalMs: ms * 2,
    recording: { frames: [], longestBlock: ms / 10, wasHidden: false },
  });
  const lane = (id: ContenderId, title: string, first: number, ...warm: number[]): Lane => ({
    contender: { id, title } as Contender,
    state: signal({ phase: 'done', kind: 'first', outcome: outcome(first) }),
    runs: signal({ first: outcome(first), warm: warm.map(outcome) }),
  });

  it('compares first and warm runs with their ratios', async () => {
    const screen = render(<Results lanes={[lane('json-parse', 'JSON.parse', 1_000, 800), lane('unspool', 'Unspool', 2_000, 90, 400, 200)]} />);
    const chart = screen.getByRole('table', { name: /Time to rows/ });
    await expect.element(chart).toBeVisible();
    const rows = [...chart.element().querySelectorAll('tbody tr')].map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent));
    expect(rows).toEqual([
      ['JSON.parse'],
      ['first (cold)', '1,000 ms', '', ''],
      ['warm', '800 ms', '', ''],
      ['Unspool'],
      ['first (cold)', '2,000 ms', '2.0 ×', ''],
      ['warm, median of 3', '200 ms', '0.25 ×', ''],
    ]);
    const bars = [...chart.element().querySelectorAll<HTMLElement>('.chart-bar')].map(({ style }) => style.width);
    expect(bars).toEqual(['50%', '40%', '100%', '10%']);
  });

  it('shows nothing until there is something to compare', () => {
    const screen = render(<Results lanes={[lane('json-parse', 'JSON.parse', 1_000)]} />);
    expect(screen.container.textContent).toBe('');
  });
});
