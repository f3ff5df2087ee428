import type { ErrorRecord } from '../../../core/error-record.ts';
import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanData } from '../../../core/sinks/spans/tree.ts';
import { arranged, spanSetting, type ReadSetting, readInto, type SpanReading } from '../spans/read-spans.ts';
import { type FramedPayload, type Framing, isPayload, type Piece, type ShellPart } from './framing.ts';
import { ShellSink } from '../spans/shell-sink.ts';

/** Reads a framed body: its framing, and each payload as a separate tree. */
export async function readFramed(bytes: Uint8Array, framing: Framing, setting: ReadSetting): Promise<SpanReading> {
  const start = performance.now();
  // Payloads whose values may lie anywhere are shown as bytes, and what is around them is in order.
  const sink = new ShellSink(bytes.length, { ...spanSetting(setting.format, bytes), prefixes: false, scattered: false });
  const tree = new FramedTree(bytes, sink, setting);
  try {
    await tree.add(framing);
  } catch (thrown) {
    tree.error ??= { name: 'Error', reason: (thrown as Error).message };
  }
  const data: SpanData = sink.finish(bytes.length);
  data.format = setting.format;
  data.shell = sink.shell;
  data.roots = sink.roots;
  data.schema = setting.schema;
  return { data: arranged(data, bytes, setting), error: tree.error, milliseconds: performance.now() - start };
}

class FramedTree {
  /** First error in a payload. */
  error: ErrorRecord | undefined;
  readonly #bytes: Uint8Array;
  readonly #sink: ShellSink;
  readonly #setting: ReadSetting;

  constructor(bytes: Uint8Array, sink: ShellSink, setting: ReadSetting) {
    this.#bytes = bytes;
    this.#sink = sink;
    this.#setting = setting;
  }

  async add(framing: Framing): Promise<void> {
    const sink = this.#sink;
    const bytes = this.#bytes;
    sink.window(bytes, viewOf(bytes), 0);
    if (!framing.isList) return this.#piece(framing.pieces[0]!, framing.pieces[0]!.type);
    sink.name(sink.shellContainer(is.ARRAY, 0), framing.wrapping);
    for (const piece of framing.pieces) await this.#piece(piece, piece.type);
    sink.shellEnd(bytes.length);
  }

  async #piece({ from, end, parts }: Piece, type: string): Promise<void> {
    const sink = this.#sink;
    const node = sink.shellContainer(is.OBJECT, from);
    sink.name(node, type);
    for (const part of parts) {
      sink.keyText(part.name, part.from, part.from);
      if (isPayload(part)) await this.#payload(node, part);
      else this.#part(part);
    }
    sink.shellEnd(end);
  }

  #part({ type, from, end, value }: ShellPart): void {
    const sink = this.#sink;
    sink.name(typeof value === 'number' ? sink.shellNumber(value, from, end) : sink.shellText(value, from, end), type);
  }

  async #payload(parent: number, { name, from, end, isCompressed, format }: FramedPayload): Promise<void> {
    const sink = this.#sink;
    const payload = this.#bytes.subarray(from, end);
    const id = format ?? this.#setting.format;
    // A payload of another format would need different span settings.
    const isSameFormat = id === this.#setting.format;
    if (isCompressed || from === end || !isSameFormat || UNSHIFTABLE.has(id)) {
      if (!isCompressed && !isSameFormat) sink.name(sink.shellText(new TextDecoder().decode(payload), from, end), `${id} ${name}`);
      else sink.binary(0, from, from, end);
      return;
    }
    sink.beginRoot();
    sink.shift = from;
    const error = await readInto(payload, sink, this.#setting);
    sink.shift = 0;
    sink.window(this.#bytes, viewOf(this.#bytes), 0);
    sink.closeTo(parent, end);
    if (error && !this.error) this.error = { ...error, ...(error.offset !== undefined && { offset: error.offset + from }) };
  }
}

/** Formats whose values may lie anywhere, in unpacked bytes, or in the columns of a batch. */
const UNSHIFTABLE = new Set(['flatbuffers', 'capnproto', 'arrow']);

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
