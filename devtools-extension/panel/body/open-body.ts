import { signal } from '@preact/signals';
import type { ErrorRecord } from '../../../core/error-record.ts';
import { KIND_NAMES, NONE, SpanTree } from '../../../core/sinks/spans/tree.ts';
import { declaredText, describe, describeKey, describeNote } from '../../describe/describe.ts';
import type { Description } from '../../describe/terms/description.ts';
import { FIRST_BESIDE, ROLES } from '../../describe/terms/roles.ts';
import { BESIDE } from '../../../core/reading/sink-methods.ts';
import { besideOf } from '../../reading/spans/beside.ts';
import type { Detection, ReadAnswer, ReadingClient, SchemaInput } from '../../reading/protocol.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import { isMapKey, mapKeyOf } from '../../values/value-text.ts';
import { BodySearch } from './body-search.ts';
import { TreeView } from './tree-view.ts';

/** One part of a value's bytes. */
export interface Part {
  name: 'key' | 'type' | 'length' | 'payload' | 'padding';
  /** Name of the part in the format's terminology. */
  label: string;
  from: number;
  end: number;
}

/** Facts about a body that decoding does not yield. */
export interface BodyAbout {
  lossy: boolean;
  received: number;
  schema: SchemaInput | undefined;
  contentType?: string;
  /** Runs regular expression searches. */
  client?: ReadingClient;
}

/** A decoded body that is open in the panel. */
export class OpenBody {
  readonly bytes: Uint8Array;
  /** Payloads without their framing. */
  readonly content: Uint8Array;
  /** True if only the beginning was read. */
  readonly isPart: boolean;
  readonly detection: Detection;
  readonly format: FormatId | undefined;
  readonly tree: SpanTree | undefined;
  readonly view: TreeView | undefined;
  readonly error: ErrorRecord | undefined;
  readonly milliseconds: number;
  readonly lossy: boolean;
  readonly schema: SchemaInput | undefined;
  readonly contentType: string;
  /** Size of the body as received, before unwrapping. */
  readonly received: number;
  /** Selected entry; 0 for bytes outside the value, `NONE` for no selection. */
  readonly selected = signal<number>(NONE);
  readonly search: BodySearch;
  /** Selected byte; −1 without one. */
  readonly byte = signal(-1);

  constructor(answer: ReadAnswer, { lossy, received, schema, contentType = '', client }: BodyAbout) {
    this.search = new BodySearch(this, client);
    this.bytes = answer.bytes;
    this.content = answer.content;
    this.isPart = answer.isPart;
    this.detection = answer.detection;
    this.format = answer.detection.format;
    this.error = answer.error;
    this.milliseconds = answer.milliseconds;
    this.lossy = lossy;
    this.received = received;
    this.schema = schema;
    this.contentType = contentType;
    if (answer.data) {
      this.tree = new SpanTree(answer.data, answer.bytes);
      this.view = new TreeView(this.tree);
      this.selected.value = this.tree.root;
    }
    if (this.error?.offset !== undefined && this.bytes.length > 0) this.selectByte(this.error.offset);
  }

  /** Selects an entry and reveals it. */
  select(node: number): void {
    if (!this.tree || node >= this.tree.count) return;
    this.#reveal(node);
    this.byte.value = -1;
  }

  /** Selects an entry, for the key of a map the value whose row shows it, and opens what is around it. */
  #reveal(node: number): void {
    const shown = isMapKey(this.tree!, node) ? node + 1 : node;
    this.view!.reveal(shown);
    this.selected.value = shown;
  }

  /** Selects the entry at a path, or its deepest existing ancestor. */
  selectPath(path: readonly (string | number)[]): void {
    const { tree } = this;
    if (!tree || tree.root === NONE) return;
    let node = tree.root;
    for (const step of path) {
      const next = tree.isContainer(node) ? tree.children(node).find((child) => tree.key(child) === step) : undefined;
      if (next === undefined) break;
      node = next;
    }
    this.select(node);
  }

  /** Selects the innermost entry that contains a byte. */
  selectByte(offset: number): void {
    const at = Math.min(Math.max(0, offset), this.bytes.length - 1);
    if (this.tree) {
      this.#reveal(this.tree.nodeAt(at));
    }
    this.byte.value = at;
  }

  describe(node: number): Description {
    return describe(this.format ?? '', this.tree!, node);
  }

  /** Type shown in a row: as declared in the schema, otherwise as encoded. */
  typeText(node: number): string {
    const { data } = this.tree!;
    const declared = data.schema === undefined || data.shell?.has(node) ? '' : declaredText(this.format ?? '', this.note(node));
    return declared || this.describe(node).name || KIND_NAMES[data.kinds[node]!]!;
  }

  /** Note from the schema, or from a definition in the body; may be empty. */
  note(node: number): string {
    return describeNote(this.format ?? '', this.tree!, node);
  }

  /** Non-empty parts of an entry's bytes, in byte order. */
  parts(node: number): Part[] {
    const { tree } = this;
    if (!tree || node === NONE || node === 0) return [];
    if (tree.data.extents) return this.#scatteredParts(tree, node);
    const { starts, values, ends } = tree.data;
    const at = values[node]!;
    const { type, length } = this.describe(node);
    const key = describeKey(this.format ?? '', tree, node) || 'prefix';
    const mapKey = mapKeyOf(tree, node);
    const parts: Part[] = [
      ...(mapKey === NONE ? [] : [{ name: 'key' as const, label: `key, ${this.describe(mapKey).name}`, from: starts[mapKey]!, end: ends[mapKey]! }]),
      { name: 'key', label: key === 'key' ? key : `key, ${key}`, from: starts[node]!, end: at },
      { name: 'type', label: 'type', from: at, end: at + type },
      { name: 'length', label: 'length', from: at + type, end: at + type + length },
      { name: 'payload', label: 'payload', from: at + type + length, end: ends[node]! },
    ];
    const elsewhere = tree.data.elsewhere.get(node);
    if (elsewhere) parts.push({ name: 'payload', label: 'text elsewhere', from: elsewhere[0], end: elsewhere[1] });
    return parts.filter(({ from, end }) => end > from);
  }

  /** Parts of an entry whose bytes may lie anywhere. Bytes that another entry owns too are marked as shared. */
  #scatteredParts(tree: SpanTree, node: number): Part[] {
    const { extents, values, ends } = tree.data;
    const partOf = (role: number): Pick<Part, 'label' | 'name'> => ({ label: ROLES[role]![0], name: ROLES[role]![1] });
    // Ranges outside of values may have several owners, of which extents know one.
    const own: Part[] = Array.from(
      tree.extentsOf(node).filter((extent) => extents!.roles[extent]! < FIRST_BESIDE),
      (extent) => ({
        ...partOf(extents!.roles[extent]!),
        from: extents!.starts[extent]!,
        end: tree.extentEnd(extent),
      }),
    );
    for (const { kind, label, from, end } of besideOf(tree.data, node))
      own.push({ ...partOf(FIRST_BESIDE + BESIDE.indexOf(kind)), label, from, end });
    const from = values[node]!;
    const end = ends[node]!;
    const isOwn = end === from || own.some((part) => part.end > from && part.from < end) || tree.isInside(tree.nodeAt(from), node);
    return isOwn ? own : [...own, { name: 'payload', label: 'shared', from, end }];
  }
}

/** Merges parts with the same label. */
export function legendOf(parts: readonly Part[]): { name: Part['name']; label: string; size: number }[] {
  const legend = new Map<string, { name: Part['name']; label: string; size: number }>();
  for (const { name, label, from, end } of parts) {
    const known = legend.get(label);
    if (known) known.size += end - from;
    else legend.set(label, { name, label, size: end - from });
  }
  return [...legend.values()];
}
