// @ts-nocheck
import { BebopView } from 'bebop';

export class Trip {
  constructor(record) {
    this.rideId = record.rideId;
    this.rideableType = record.rideableType;
    this.startedAt = record.startedAt;
    this.endedAt = record.endedAt;
    this.startStationName = record.startStationName;
    this.startStationId = record.startStationId;
    this.endStationName = record.endStationName;
    this.endStationId = record.endStationId;
    this.startLat = record.startLat;
    this.startLng = record.startLng;
    this.endLat = record.endLat;
    this.endLng = record.endLng;
    this.memberCasual = record.memberCasual;
  }

  static decode(buffer) {
    const view = BebopView.getInstance();
    view.startReading(buffer);
    return Trip.readFrom(view);
  }

  static readFrom(view) {
    let field0;
    field0 = view.readString();
    let field1;
    field1 = view.readByte();
    let field2;
    field2 = view.readDate();
    let field3;
    field3 = view.readDate();
    let field4;
    field4 = view.readString();
    let field5;
    field5 = view.readString();
    let field6;
    field6 = view.readString();
    let field7;
    field7 = view.readString();
    let field8;
    field8 = view.readFloat64();
    let field9;
    field9 = view.readFloat64();
    let field10;
    field10 = view.readFloat64();
    let field11;
    field11 = view.readFloat64();
    let field12;
    field12 = view.readByte();
    const message = {
      rideId: field0,
      rideableType: field1,
      startedAt: field2,
      endedAt: field3,
      startStationName: field4,
      startStationId: field5,
      endStationName: field6,
      endStationId: field7,
      startLat: field8,
      startLng: field9,
      endLat: field10,
      endLng: field11,
      memberCasual: field12,
    };
    return new Trip(message);
  }

  static encode(record) {
    const view = BebopView.getInstance();
    view.startWriting();
    Trip.encodeInto(record, view);
    return view.toArray();
  }

  static encodeInto(record, view) {
    const before = view.length;
    view.writeString(record.rideId);
    view.writeByte(record.rideableType);
    view.writeDate(record.startedAt);
    view.writeDate(record.endedAt);
    view.writeString(record.startStationName);
    view.writeString(record.startStationId);
    view.writeString(record.endStationName);
    view.writeString(record.endStationId);
    view.writeFloat64(record.startLat);
    view.writeFloat64(record.startLng);
    view.writeFloat64(record.endLat);
    view.writeFloat64(record.endLng);
    view.writeByte(record.memberCasual);
    return view.length - before;
  }
}

export class Trips {
  constructor(record) {
    this.trips = record.trips;
  }

  static decode(buffer) {
    const view = BebopView.getInstance();
    view.startReading(buffer);
    return Trips.readFrom(view);
  }

  static readFrom(view) {
    let field0;
    {
      const length0 = view.readUint32();
      field0 = new Array(length0);
      for (let i0 = 0; i0 < length0; i0++) {
        let x0;
        x0 = Trip.readFrom(view);
        field0[i0] = x0;
      }
    }
    const message = {
      trips: field0,
    };
    return new Trips(message);
  }

  static encode(record) {
    const view = BebopView.getInstance();
    view.startWriting();
    Trips.encodeInto(record, view);
    return view.toArray();
  }

  static encodeInto(record, view) {
    const before = view.length;
    {
      const length0 = record.trips.length;
      view.writeUint32(length0);
      for (let i0 = 0; i0 < length0; i0++) {
        Trip.encodeInto(record.trips[i0], view);
      }
    }
    return view.length - before;
  }
}
