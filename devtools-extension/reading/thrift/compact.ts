import { compactFieldType, compactItemType } from './types.ts';
import { exact, type Field, type ListHead, type MapHead, ThriftWalker } from './walker.ts';

/**
 * The compact protocol.
 *
 *     field    delta of the id << 4 | type,  or  type, id as zigzag varint          0 ends a struct
 *     list     count << 4 | type of the items,  or  0xf0 | type, count as varint
 *     map      0 where it is empty,  or  count as varint, type of the keys << 4 | type of the values
 *     i16, i32, i64 as zigzag varints,  double in 8 bytes, little-endian,  string as varint length and bytes
 *
 * https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 */
export class CompactWalker extends ThriftWalker {
  protected field(lastId: number): Field | undefined {
    const start = this.at;
    const head = this.byte();
    if (head === 0) return undefined;
    const type = this.typed(compactFieldType(head & 15), head & 15, start);
    const delta = head >>> 4;
    return { type, id: delta > 0 ? lastId + delta : Number(this.integer(16)) };
  }

  protected listHead(): ListHead {
    const start = this.at;
    const head = this.byte();
    const short = head >>> 4;
    const count = short === 15 ? this.length() : short;
    // Of an empty list some write no type.
    return { type: count === 0 ? 'bool' : this.typed(compactItemType(head & 15), head & 15, start), count };
  }

  protected mapHead(): MapHead {
    const count = this.length();
    if (count === 0) return { keyType: 'bool', valueType: 'bool', count };
    const start = this.at;
    const types = this.byte();
    return {
      keyType: this.typed(compactItemType(types >>> 4), types >>> 4, start),
      valueType: this.typed(compactItemType(types & 15), types & 15, start),
      count,
    };
  }

  protected integer(bits: 16 | 32 | 64): number | bigint {
    const value = this.#varint();
    return exact(BigInt.asIntN(bits, (value >> 1n) ^ -(value & 1n)));
  }

  protected double(): number {
    return this.view.getFloat64(this.skip(8), true);
  }

  protected length(): number {
    return Number(this.#varint());
  }

  #varint(): bigint {
    const start = this.at;
    let small = 0;
    let value = 0n;
    for (let index = 0; index < 10; index += 1) {
      const byte = this.byte();
      if (index < 4) small |= (byte & 0x7f) << (7 * index);
      else value |= BigInt(byte & 0x7f) << BigInt(7 * index);
      if (byte < 0x80) return value | BigInt(small);
    }
    return this.fail('malformed', 'a varint of more than 10 bytes', start);
  }
}
