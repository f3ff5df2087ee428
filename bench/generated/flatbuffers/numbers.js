// @ts-nocheck

// unspool/demo/numbers.ts
import * as flatbuffers from "flatbuffers";

// unspool/demo/point.ts
var Point = class {
  bb = null;
  bb_pos = 0;
  __init(i, bb) {
    this.bb_pos = i;
    this.bb = bb;
    return this;
  }
  x() {
    return this.bb.readFloat64(this.bb_pos);
  }
  y() {
    return this.bb.readFloat64(this.bb_pos + 8);
  }
  z() {
    return this.bb.readFloat64(this.bb_pos + 16);
  }
  static sizeOf() {
    return 24;
  }
  static createPoint(builder, x, y, z) {
    builder.prep(8, 24);
    builder.writeFloat64(z);
    builder.writeFloat64(y);
    builder.writeFloat64(x);
    return builder.offset();
  }
};

// unspool/demo/numbers.ts
var Numbers = class _Numbers {
  bb = null;
  bb_pos = 0;
  __init(i, bb) {
    this.bb_pos = i;
    this.bb = bb;
    return this;
  }
  static getRootAsNumbers(bb, obj) {
    return (obj || new _Numbers()).__init(bb.readInt32(bb.position()) + bb.position(), bb);
  }
  static getSizePrefixedRootAsNumbers(bb, obj) {
    bb.setPosition(bb.position() + flatbuffers.SIZE_PREFIX_LENGTH);
    return (obj || new _Numbers()).__init(bb.readInt32(bb.position()) + bb.position(), bb);
  }
  items(index, obj) {
    const offset = this.bb.__offset(this.bb_pos, 4);
    return offset ? (obj || new Point()).__init(this.bb.__vector(this.bb_pos + offset) + index * 24, this.bb) : null;
  }
  itemsLength() {
    const offset = this.bb.__offset(this.bb_pos, 4);
    return offset ? this.bb.__vector_len(this.bb_pos + offset) : 0;
  }
  static startNumbers(builder) {
    builder.startObject(1);
  }
  static addItems(builder, itemsOffset) {
    builder.addFieldOffset(0, itemsOffset, 0);
  }
  static startItemsVector(builder, numElems) {
    builder.startVector(24, numElems, 8);
  }
  static endNumbers(builder) {
    const offset = builder.endObject();
    return offset;
  }
  static finishNumbersBuffer(builder, offset) {
    builder.finish(offset);
  }
  static finishSizePrefixedNumbersBuffer(builder, offset) {
    builder.finish(offset, void 0, true);
  }
  static createNumbers(builder, itemsOffset) {
    _Numbers.startNumbers(builder);
    _Numbers.addItems(builder, itemsOffset);
    return _Numbers.endNumbers(builder);
  }
};
export {
  Numbers,
  Point
};
