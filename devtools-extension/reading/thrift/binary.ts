import { binaryType } from './types.ts';
import { exact, type Field, type ListHead, type MapHead, ThriftWalker } from './walker.ts';

/**
 * The binary protocol; numbers are big-endian.
 *
 *     field    int8 type, int16 id        0 ends a struct
 *     list     int8 type of the items, int32 count
 *     map      int8 type of the keys, int8 type of the values, int32 count
 *     string   int32 length, bytes
 *
 * https://github.com/apache/thrift/blob/master/doc/specs/thrift-binary-protocol.md
 */
export class BinaryWalker extends ThriftWalker {
  protected field(): Field | undefined {
    const start = this.at;
    const number = this.byte();
    if (number === 0) return undefined;
    return { type: this.typed(binaryType(number), number, start), id: Number(this.integer(16)) };
  }

  protected listHead(): ListHead {
    const start = this.at;
    const number = this.byte();
    const count = this.length();
    // Of an empty list some write no type, and of an empty map.
    return { type: count === 0 ? 'bool' : this.typed(binaryType(number), number, start), count };
  }

  protected mapHead(): MapHead {
    const start = this.at;
    const keys = this.byte();
    const values = this.byte();
    const count = this.length();
    if (count === 0) return { keyType: 'bool', valueType: 'bool', count };
    return { keyType: this.typed(binaryType(keys), keys, start), valueType: this.typed(binaryType(values), values, start + 1), count };
  }

  protected integer(bits: 16 | 32 | 64): number | bigint {
    const from = this.skip(bits >>> 3);
    if (bits === 16) return this.view.getInt16(from);
    return bits === 32 ? this.view.getInt32(from) : exact(this.view.getBigInt64(from));
  }

  protected double(): number {
    return this.view.getFloat64(this.skip(8));
  }

  protected length(): number {
    return this.view.getInt32(this.skip(4));
  }
}
