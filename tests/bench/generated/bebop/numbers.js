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
}
