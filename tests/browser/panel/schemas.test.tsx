import { Packr } from 'msgpackr/pack';
import { describe, expect, it } from 'vitest';
import { encodeRows } from '../../../demo/server/encode.mjs';
import { createTripSource } from '../../../demo/server/data/trips.mjs';
import type { LibraryState } from '../../../devtools-extension/adapter/adapter.ts';
import type { PageAdapter } from '../../../devtools-extension/adapter/page.ts';
import type { DecodeReport } from '../../../main/call/observe.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import { formatEntry } from '../../../core/formats/registry.ts';
import avsc from '../../../demo/server/schemas/trips.avsc?raw';
import bfbs from '../../../demo/server/schemas/trips.bfbs?url';
import bop from '../../../demo/server/schemas/trips.bop?raw';
import request from '../../../demo/server/schemas/trips.capnp.request?url';
import literal from '../../../demo/server/schemas/trips.jsbinary.json?raw';
import proto from '../../../demo/server/schemas/trips.proto?raw';
import { stagePanel } from '../../setup/panel/panel-stage.ts';
// js-binary needs a global Buffer.
import '../../unit/core/formats/sia/reference.ts';

const RIDE = createTripSource(1).take(1)[0]!.ride_id;

const stage = stagePanel();

const encode = (format: FormatId): Uint8Array => encodeRows(format, createTripSource(1).rows(3), { key: 'trips', count: 3, dataset: 'trips' });
const treeText = (): string => Array.from(stage.element.querySelectorAll('.tree-row'), (row) => row.textContent).join('\n');
const bytesOf = async (url: string): Promise<Uint8Array> => new Uint8Array(await (await fetch(url)).arrayBuffer());

async function show(adapter: PageAdapter, name: string, bytes: Uint8Array): Promise<void> {
  const { id } = adapter.add({ url: `https://site.test/${name}`, bytes });
  await expect.poll(() => stage.panel.requests.rows.value.some(({ exchange }) => exchange.id === id)).toBe(true);
  await stage.panel.selection.select(id);
}

describe('a dropped schema', () => {
  const dropped: [FormatId, name: string, content: () => Promise<BlobPart>, type: string][] = [
    ['avro', 'trips.avsc', () => Promise.resolve(avsc), ''],
    ['protobuf', 'trips.proto', () => Promise.resolve(proto), 'Trips'],
    ['bebop', 'trips.bop', () => Promise.resolve(bop), 'Trips'],
    ['flatbuffers', 'trips.bfbs', async () => (await bytesOf(bfbs)) as BlobPart, 'Trips'],
    ['capnproto', 'trips.capnp.request', async () => (await bytesOf(request)) as BlobPart, 'Trips'],
    ['jsbinary', 'trips.json', () => Promise.resolve(literal), ''],
  ];

  it.each(dropped)('of %s (%s) applies to its addresses, also after a reload', async (format, name, content, type) => {
    const first = stage.mount();
    await stage.panel.files.open([new File([await content()], name)]);
    const [kept] = JSON.parse(localStorage.getItem('unspool-panel-schema-files')!) as { name: string; format: string; types: string[] }[];
    expect(kept).toMatchObject({ name, format });
    // Types include the package of the file.
    const full = kept!.types.find((one) => one === type || one.endsWith(`.${type}`)) ?? '';
    expect(full === '').toBe(type === '');
    stage.panel.schemas.map('site.test/*/trips', name, full);
    await show(first, 'v1/trips', encode(format));
    await expect.poll(treeText).toContain(RIDE);
    stage.close();

    const second = stage.mount();
    await show(second, 'v2/trips?page=2', encode(format));
    await expect.poll(treeText).toContain(RIDE);
    expect(stage.element.querySelector('.detail-facts')!.textContent).toContain(`schema ${name}`);
  });

  it('accepts structures of msgpackr', async () => {
    const structures: string[][] = [];
    const shared = new Packr({ structures, saveStructures: () => undefined });
    const bytes = Uint8Array.from(
      shared.pack([
        { station: 'Oak', docks: 7 },
        { station: 'Elm', docks: 9 },
      ]),
    );
    const adapter = stage.mount();
    await stage.panel.files.open([new File([JSON.stringify(structures)], 'structures.json')]);
    stage.panel.schemas.map('https://site.test/shared', 'structures.json', '');
    await show(adapter, 'shared', bytes);
    await expect.poll(treeText).toContain('station: "Oak"');
  });

  it('without a schema in its file is rejected, or opens as a body', async () => {
    const adapter = stage.mount();
    await stage.panel.files.open([new File([Uint8Array.of(1, 2, 3)], 'broken.bfbs')]);
    expect(stage.panel.notice.value).toContain('broken.bfbs is not a valid schema');
    await stage.panel.files.open([new File([Uint8Array.of(0x0a, 5, 0x41, 0x6c, 0x69, 0x63, 0x65, 0x10, 0x96, 1, 0x1a, 2, 8, 1)], 'alice.pb')]);
    await expect.poll(treeText).toContain('Alice');
    adapter.navigate('https://site.test/', Date.now());
  });
});

describe('a page that decodes with the library', () => {
  const report = (name: string, format: FormatId): DecodeReport => ({
    id: 1,
    label: undefined,
    url: `https://site.test/${name}`,
    format,
    schema: name,
    as: 'objects',
    route: 'page',
    why: 'small',
    kernel: false,
    bytes: 9,
    rows: 0,
    startTime: 1e12,
    duration: 1,
    readMs: 0,
    queueMs: 0,
    transferMs: 0,
    decodeMs: 1,
    materialiseMs: 0,
    mainMs: 0,
    workerStartMs: 0,
    longestSliceMs: 0,
    error: undefined,
  });

  it('provides the schema of a response, which can be kept', async () => {
    const state: LibraryState = {
      decodes: [report('trips', 'bebop')],
      schemas: [{ name: 'trips', format: 'bebop', schema: { bop, record: 'Trips' } }],
      bodies: [],
      timeOrigin: 1e12,
    };
    const adapter = stage.mount({ readLibrary: () => state });
    await show(adapter, 'trips', encode('bebop'));
    await expect.poll(treeText).toContain(RIDE);
    expect(stage.element.querySelector('.detail-facts')!.textContent).toContain('schema trips, from the page');
    stage.panel.schemas.isOpen.value = true;
    await expect.poll(() => stage.element.querySelector('[aria-label="Keep trips"]')).not.toBeNull();
    stage.element.querySelector<HTMLElement>('[aria-label="Keep trips"]')!.click();
    stage.panel.schemas.map('site.test/other', 'trips', '');
    stage.close();

    const later = stage.mount();
    await show(later, 'other', encode('bebop'));
    await expect.poll(treeText).toContain(RIDE);
  });

  it('determines the format in the list', async () => {
    const state: LibraryState = {
      decodes: [report('list', 'avro')],
      schemas: [{ name: 'list', format: 'avro', schema: JSON.parse(avsc) as unknown }],
      bodies: [],
      timeOrigin: 1e12,
    };
    const adapter = stage.mount({ readLibrary: () => state });
    adapter.add({ url: 'https://site.test/list', bytes: encode('avro') });
    await expect.poll(() => Array.from(stage.element.querySelectorAll('.chip'), (chip) => chip.textContent)).toEqual(['avro']);
  });
});

describe('a selected format', () => {
  it('stays stored for the address until it is forgotten', async () => {
    const bytes = Uint8Array.of(0x82, 0x01, 0x02);
    const kind = (): string | null | undefined => stage.element.querySelector<HTMLSelectElement>('select[aria-label=Format]')?.value;
    const first = stage.mount();
    await show(first, 'guess?page=1', bytes);
    await stage.panel.selection.setFormat('cbor');
    await expect.poll(kind).toBe('cbor');
    stage.close();

    const second = stage.mount();
    await show(second, 'guess?page=2', bytes);
    await expect.poll(kind).toBe('cbor');
    stage.panel.schemas.isOpen.value = true;
    const forget = (): HTMLElement | null => stage.element.querySelector('[aria-label="Forget the format of https://site.test/guess"]');
    await expect.poll(forget).not.toBeNull();
    forget()!.click();
    await expect.poll(() => stage.panel.schemas.overrides.value).toEqual([]);
  });
});

it('formats with a schema ask for it', async () => {
  const adapter = stage.mount();
  await show(adapter, 'unknown', encode('bebop'));
  await stage.panel.selection.setFormat('bebop');
  await expect.poll(() => stage.element.textContent).toContain('bebop needs a schema');
  expect(formatEntry('bebop')!.schema).toBe(true);
});
