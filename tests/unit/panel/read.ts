import { expect } from 'vitest';
import { OpenBody } from '../../../devtools-extension/panel/body/open-body.ts';
import { measure } from '../../../devtools-extension/panel/size/size.ts';
import { type ReadSetting, readSpans, type SpanReading } from '../../../devtools-extension/reading/spans/read-spans.ts';
import { type SpanData, SpanTree } from '../../../core/sinks/spans/tree.ts';
import { finish } from './open.ts';
import { checkExtents, checkTree, ownBytes } from './values/tree-rules.ts';

/** Body as the panel shows it. */
export function bodyOf(bytes: Uint8Array, { format }: Pick<ReadSetting, 'format'>, { data, error, milliseconds }: SpanReading): OpenBody {
  const detection = { format, confidence: 1, reasons: [], sequence: data.sequence === true, wrappings: [] };
  return new OpenBody(
    { detection, bytes, content: bytes, isPart: false, data, error, milliseconds },
    { lossy: false, received: bytes.length, schema: undefined },
  );
}

/** Throws if ranges do not nest or cover the body, or if the sizes by path, key or type do not add up to it. */
export function checkBody(body: OpenBody): void {
  const { data } = body.tree!;
  if (data.extents) {
    checkExtents(data);
  } else {
    checkTree(data);
    expect(ownBytes(data)).toBe(body.bytes.length);
  }
  const report = finish(measure(body));
  for (const rows of [report.byPath, report.byKey, report.byType]) {
    let sum = 0;
    for (const { keys, headers, payload, between, total } of rows) {
      sum += total;
      if (keys + headers + payload + between !== total || Math.min(keys, headers, payload, between) < 0) throw new Error('a row does not add up');
    }
    expect(sum).toBe(body.bytes.length);
  }
  for (let node = 1; node < data.count; node += 1) {
    for (const { from, end } of body.parts(node)) if (end > body.bytes.length || from >= end) throw new Error(`a part of entry ${node} is nowhere`);
  }
}

/** Reads an intact body, and checks its ranges and sizes. */
export async function readWhole(bytes: Uint8Array, setting: ReadSetting): Promise<OpenBody> {
  const reading = await readSpans(bytes, setting);
  if (reading.error) throw new Error(`${reading.error.reason} at ${reading.error.offset}`);
  const body = bodyOf(bytes, setting, reading);
  checkBody(body);
  return body;
}

/**
 * Reads damaged, truncated and repeated versions of a body, and checks that each gives a tree with correct ranges and sizes.
 * Positions come from `next`, numbers from 0 to 1.
 */
export async function readDamaged(bytes: Uint8Array, setting: ReadSetting, next: () => number, times = 6): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    let damaged = Uint8Array.from(bytes);
    const at = Math.floor(next() * bytes.length);
    if (time % 3 === 0) damaged = damaged.slice(0, at);
    else if (bytes.length > 0) damaged[at] = Math.floor(next() * 256);
    const reading = await readSpans(damaged, setting);
    checkBody(bodyOf(damaged, setting, reading));
  }
}

/** Every entry as `path: name`. */
export function namesOf(body: OpenBody): string[] {
  const tree = body.tree!;
  return Array.from({ length: tree.count - 1 }, (_, i) => `${tree.path(i + 1).join('.')}: ${body.describe(i + 1).name}`);
}

/** Parts of an entry, as `label from..end`. */
export function partsOf(body: OpenBody, node: number): string[] {
  return body.parts(node).map(({ label, from, end }) => `${label} ${from}..${end}`);
}

export function entryAt(data: SpanData, bytes: Uint8Array, path: readonly (string | number)[]): number {
  const tree = new SpanTree(data, bytes);
  for (let node = 1; node < data.count; node += 1) if (tree.path(node).join() === path.join()) return node;
  throw new Error(`there is no entry at ${path.join('.')}`);
}
