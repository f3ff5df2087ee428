import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, utimes, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpack } from 'msgpackr';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readIrregular } from '../../../demo/server/data/irregular.mjs';
import { trips } from '../../../demo/server/data/trips.mjs';
import { PayloadRequestError } from '../../../demo/server/payload-request.mjs';
import { PayloadStore } from '../../../demo/server/payload.mjs';

let directory: string;
let store: PayloadStore;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'payloads-'));
  store = new PayloadStore({ directory: join(directory, 'kept') });
});

afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

describe('payload store', () => {
  it('generates a payload once and keeps it', async () => {
    const first = await store.get({ dataset: 'trips', format: 'json', rows: 100 });
    expect(JSON.parse(await readFile(first.path, 'utf8'))).toEqual(trips(100));
    expect(first).toMatchObject({ mediaType: 'application/json', generatedMs: expect.any(Number) });
    expect((await stat(first.path)).size).toBe(first.bytes);
    const second = await new PayloadStore({ directory: join(directory, 'kept') }).get({ format: 'json', rows: '100' });
    expect(second).toEqual({ ...first, generatedMs: undefined });
  });

  it('keeps payloads apart by dataset, format, rows and seed', async () => {
    const requests = [
      { dataset: 'trips', format: 'json', rows: 10 },
      { dataset: 'trips', format: 'json', rows: 11 },
      { dataset: 'trips', format: 'json', rows: 10, seed: 2 },
      { dataset: 'trips', format: 'messagepack', rows: 10 },
      { dataset: 'numbers', format: 'json', rows: 10 },
      { dataset: 'call-1k', format: 'json' },
      { dataset: 'call-10k', format: 'json' },
    ];
    const made = await Promise.all(requests.map((request) => store.get(request)));
    expect(new Set(made.map(({ path }) => path)).size).toBe(requests.length);
    expect(await readdir(join(directory, 'kept'))).toHaveLength(requests.length);
  });

  it('generates a payload once for concurrent calls', async () => {
    const request = { dataset: 'trips', format: 'messagepack', rows: 2000 };
    const made = await Promise.all(Array.from({ length: 5 }, () => store.get(request)));
    expect(new Set(made.map(({ generatedMs }) => generatedMs)).size).toBe(1);
    expect(unpack(await store.read(request))).toEqual(trips(2000));
  });

  it('serves documents by name', async () => {
    const bytes = await store.read({ dataset: 'irregular', document: 'world-atlas/land-110m', format: 'messagepack' });
    expect(unpack(bytes)).toEqual(await readIrregular('world-atlas/land-110m'));
  });

  it('limits mixed values to those that the format preserves', async () => {
    const json = await store.read({ dataset: 'mixed', rows: 50, format: 'json' });
    expect(JSON.parse(Buffer.from(json).toString()).items).toHaveLength(50);
    const records = await store.read({ dataset: 'mixed', rows: 50, format: 'messagepack-records-bundled' });
    expect(unpack(records).items).toHaveLength(50);
  });

  it('leaves no files when it is closed during generation', async () => {
    const settled = Promise.allSettled([
      store.get({ dataset: 'trips', format: 'json', rows: 2_000_000 }),
      store.get({ dataset: 'numbers', format: 'json', rows: 2_000_000 }),
      store.get({ dataset: 'numbers', format: 'messagepack', rows: 2_000_000 }),
    ]);
    const names = (): Promise<string[]> => readdir(join(directory, 'kept'));
    await expect.poll(names).not.toEqual([]);
    const begun = await names();
    expect(begun.every((name) => name.endsWith('.tmp'))).toBe(true);
    await store.close();
    const outcomes = await settled;
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    const reasons = outcomes.map((outcome) => String((outcome as PromiseRejectedResult).reason));
    expect(reasons).toContain('Error: The payload was not finished.');
    expect(reasons.filter((reason) => !/ (not finished|closed)\.$/.test(reason))).toEqual([]);
    expect(await readdir(join(directory, 'kept'))).toEqual([]);
    await expect(store.get({ dataset: 'trips', format: 'json', rows: 1 })).rejects.toThrow('The payload store is closed.');
  });

  it('deletes the files of ended processes only', async () => {
    await store.get({ rows: 1 });
    const kept = join(directory, 'kept');
    const deadPid = Number(execFileSync(process.execPath, ['-p', 'process.pid']).toString());
    await writeFile(join(kept, `x.${deadPid}-0.tmp`), 'half');
    await writeFile(join(kept, `y.${process.pid}-99.tmp`), 'half');
    await utimes(join(kept, `y.${process.pid}-99.tmp`), 0, 0);
    const next = new PayloadStore({ directory: kept });
    await next.get({ rows: 2 });
    const names = await readdir(kept);
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([`y.${process.pid}-99.tmp`]);
  });

  it.each([
    [{ dataset: 'taxis' }, 'No dataset is named "taxis". There are: trips, numbers,'],
    [{ format: 'yaml' }, 'No format is named "yaml". There are: json,'],
    [{ rows: -1 }, 'rows must be a whole number from 0 to 2,000,000, not -1.'],
    [{ rows: '1e3' }, 'rows must be a whole number from 0 to 2,000,000, not "1e3".'],
    [{ rows: '' }, 'rows must be a whole number'],
    [{ dataset: 'mixed', rows: 50_001 }, 'rows must be a whole number from 0 to 50,000'],
    [{ seed: 1.5 }, 'seed must be a whole number from 0 to 4,294,967,295, not 1.5.'],
    [{ dataset: 'call-1k', rows: 5 }, 'The dataset call-1k has a fixed size: leave out rows.'],
    [{ document: 'x' }, 'The dataset trips has no documents: leave out document.'],
    [{ dataset: 'irregular' }, 'Name a document. There are: vega-datasets/'],
    [{ dataset: 'irregular', document: '../../etc/passwd' }, 'No document is named "../../etc/passwd". There are:'],
  ])('rejects %j with a reason', async (request, message) => {
    await expect(store.get(request)).rejects.toThrow(PayloadRequestError);
    await expect(store.get(request)).rejects.toThrow(message);
  });
});
