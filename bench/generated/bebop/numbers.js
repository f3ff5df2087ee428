// @ts-nocheck
import { BebopView } from 'bebop';

export class Point {
  constructor(record) {
    this.x = record.x;
    this.y = record.y;
    this.z = record.z;
  }

  static decode(buffer) {
    const view = BebopView.getInstance();
    view.startReading(buffer);
    return Point.readFrom(view);
  }

  static readFrom(view) {
    let field0;
    field0 = view.readFloat64();
    let field1;
    field1 = view.readFloat64();
    let field2;
    field2 = view.readFloat64();
    const message = {
      x: field0,
      y: field1,
      z: field2,
    };
    return new Point(message);
  }

  static encode(record) {
    const view = BebopView.getInstance();
    view.startWriting();
    Point.encodeInto(record, view);
    return view.toArray();
  }

  static encodeInto(record, view) {
    const before = view.length;
    view.writeFloat64(record.x);
    view.writeFloat64(record.y);
    view.writeFloat64(record.z);
    return view.length - before;
  }
}

export class Numbers {
  constructor(record) {
    this.items = record.items;
  }

  static decode(buffer) {
    const view = BebopView.getInstance();
    view.startReading(buffer);
    return Numbers.readFrom(view);
  }

  static readFrom(view) {
    let field0;
    {
      const length0 = view.readUint32();
      field0 = new Array(length0);
      for (let i0 = 0; i0 < length0; i0++) {
        let x0;
        x0 = Point.readFrom(view);
        field0[i0] = x0;
      }
    }
    const message = {
      items: field0,
    };
    return new Numbers(message);
  }

  static encode(record) {
    const view = BebopView.getInstance();
    view.startWriting();
    Numbers.encodeInto(record, view);
    return view.toArray();
  }

  static encodeInto(record, view) {
    const before = view.length;
    {
      const length0 = record.items.length;
      view.writeUint32(length0);
      for (let i0 = 0; i0 < length0; i0++) {
        Point.encodeInto(record.items[i0], view);
      }
    }
    return view.length - before;
  }
}
