import { Packr } from 'msgpackr';
import { expect, it, onTestFinished } from 'vitest';
import { stagePanel } from '../../setup/panel/panel-stage.ts';

const packr = new Packr({ useRecords: false });
const stage = stagePanel();

/** Adds requests with lists of numbers as bodies. */
function fill(count: number, items: number): void {
  const bytes = Uint8Array.from(packr.pack(Array.from({ length: items }, (_, i) => ({ id: i, name: `station ${i}` }))));
  const adapter = stage.mount();
  for (let i = 0; i < count; i += 1) adapter.add({ url: `https://site.test/${i}`, bytes });
  stage.panel.requests.flush();
}

it('bodies of several megabytes are exported as one line each', async () => {
  fill(6, 100_000);
  const file = (await stage.panel.sessionExport.run())!;
  const lines = (await file.text()).trimEnd().split('\n');
  expect(lines).toHaveLength(6);
  const { value, ...head } = JSON.parse(lines[5]!) as { value: unknown[] };
  expect(value).toHaveLength(100_000);
  expect(head).toMatchObject({ url: 'https://site.test/5', side: 'response', format: 'messagepack' });
});

it('a cancelled export saves nothing', async () => {
  fill(6, 1_000);
  const { sessionExport } = stage.panel;
  const file = sessionExport.run();
  const done: number[] = [];
  onTestFinished(
    sessionExport.progress.subscribe((progress) => {
      if (progress && done.push(progress.done) === 3) sessionExport.cancel();
    }),
  );
  expect(await file).toBeUndefined();
  expect(done.length).toBeGreaterThanOrEqual(3);
  expect(sessionExport.progress.value).toBeUndefined();
});
