import type { Sink } from '../../../core/reading/sink.ts';
import type { PanelFormatId } from '../read-format.ts';
import { BinaryWalker } from './binary.ts';
import { CompactWalker } from './compact.ts';

/** Sends a struct of Thrift to a sink. Throws a DecodeError or LimitError where it is damaged. */
export function walkThrift(bytes: Uint8Array, sink: Sink, format: PanelFormatId): void {
  const Walker = format === 'thrift-compact' ? CompactWalker : BinaryWalker;
  new Walker(bytes, sink, format).walk();
}
