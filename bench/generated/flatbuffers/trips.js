// @ts-nocheck

// unspool/demo/member-casual.ts
var MemberCasual = /* @__PURE__ */ ((MemberCasual2) => {
  MemberCasual2[MemberCasual2["member"] = 0] = "member";
  MemberCasual2[MemberCasual2["casual"] = 1] = "casual";
  return MemberCasual2;
})(MemberCasual || {});

// unspool/demo/rideable-type.ts
var RideableType = /* @__PURE__ */ ((RideableType2) => {
  RideableType2[RideableType2["electric_bike"] = 0] = "electric_bike";
  RideableType2[RideableType2["classic_bike"] = 1] = "classic_bike";
  return RideableType2;
})(RideableType || {});

// unspool/demo/trip.ts
import * as flatbuffers from "flatbuffers";
var Trip = class _Trip {
  bb = null;
  bb_pos = 0;
  __init(i, bb) {
    this.bb_pos = i;
    this.bb = bb;
    return this;
  }
  static getRootAsTrip(bb, obj) {
    return (obj || new _Trip()).__init(bb.readInt32(bb.position()) + bb.position(), bb);
  }
  static getSizePrefixedRootAsTrip(bb, obj) {
    bb.setPosition(bb.position() + flatbuffers.SIZE_PREFIX_LENGTH);
    return (obj || new _Trip()).__init(bb.readInt32(bb.position()) + bb.position(), bb);
  }
  rideId(optionalEncoding) {
    const offset = this.bb.__offset(this.bb_pos, 4);
    return offset ? this.bb.__string(this.bb_pos + offset, optionalEncoding) : null;
  }
  rideableType() {
    const offset = this.bb.__offset(this.bb_pos, 6);
    return offset ? this.bb.readUint8(this.bb_pos + offset) : 0 /* electric_bike */;
  }
  startedAt() {
    const offset = this.bb.__offset(this.bb_pos, 8);
    return offset ? this.bb.readInt64(this.bb_pos + offset) : BigInt("0");
  }
  endedAt() {
    const offset = this.bb.__offset(this.bb_pos, 10);
    return offset ? this.bb.readInt64(this.bb_pos + offset) : BigInt("0");
  }
  startStationName(optionalEncoding) {
    const offset = this.bb.__offset(this.bb_pos, 12);
    return offset ? this.bb.__string(this.bb_pos + offset, optionalEncoding) : null;
  }
  startStationId(optionalEncoding) {
    const offset = this.bb.__offset(this.bb_pos, 14);
    return offset ? this.bb.__string(this.bb_pos + offset, optionalEncoding) : null;
  }
  endStationName(optionalEncoding) {
    const offset = this.bb.__offset(this.bb_pos, 16);
    return offset ? this.bb.__string(this.bb_pos + offset, optionalEncoding) : null;
  }
  endStationId(optionalEncoding) {
    const offset = this.bb.__offset(this.bb_pos, 18);
    return offset ? this.bb.__string(this.bb_pos + offset, optionalEncoding) : null;
  }
  startLat() {
    const offset = this.bb.__offset(this.bb_pos, 20);
    return offset ? this.bb.readFloat64(this.bb_pos + offset) : 0;
  }
  startLng() {
    const offset = this.bb.__offset(this.bb_pos, 22);
    return offset ? this.bb.readFloat64(this.bb_pos + offset) : 0;
  }
  endLat() {
    const offset = this.bb.__offset(this.bb_pos, 24);
    return offset ? this.bb.readFloat64(this.bb_pos + offset) : null;
  }
  endLng() {
    const offset = this.bb.__offset(this.bb_pos, 26);
    return offset ? this.bb.readFloat64(this.bb_pos + offset) : null;
  }
  memberCasual() {
    const offset = this.bb.__offset(this.bb_pos, 28);
    return offset ? this.bb.readUint8(this.bb_pos + offset) : 0 /* member */;
  }
  static startTrip(builder) {
    builder.startObject(13);
  }
  static addRideId(builder, rideIdOffset) {
    builder.addFieldOffset(0, rideIdOffset, 0);
  }
  static addRideableType(builder, rideableType) {
    builder.addFieldInt8(1, rideableType, 0 /* electric_bike */);
  }
  static addStartedAt(builder, startedAt) {
    builder.addFieldInt64(2, startedAt, BigInt("0"));
  }
  static addEndedAt(builder, endedAt) {
    builder.addFieldInt64(3, endedAt, BigInt("0"));
  }
  static addStartStationName(builder, startStationNameOffset) {
    builder.addFieldOffset(4, startStationNameOffset, 0);
  }
  static addStartStationId(builder, startStationIdOffset) {
    builder.addFieldOffset(5, startStationIdOffset, 0);
  }
  static addEndStationName(builder, endStationNameOffset) {
    builder.addFieldOffset(6, endStationNameOffset, 0);
  }
  static addEndStationId(builder, endStationIdOffset) {
    builder.addFieldOffset(7, endStationIdOffset, 0);
  }
  static addStartLat(builder, startLat) {
    builder.addFieldFloat64(8, startLat, 0);
  }
  static addStartLng(builder, startLng) {
    builder.addFieldFloat64(9, startLng, 0);
  }
  static addEndLat(builder, endLat) {
    builder.addFieldFloat64(10, endLat, 0);
  }
  static addEndLng(builder, endLng) {
    builder.addFieldFloat64(11, endLng, 0);
  }
  static addMemberCasual(builder, memberCasual) {
    builder.addFieldInt8(12, memberCasual, 0 /* member */);
  }
  static endTrip(builder) {
    const offset = builder.endObject();
    return offset;
  }
  static createTrip(builder, rideIdOffset, rideableType, startedAt, endedAt, startStationNameOffset, startStationIdOffset, endStationNameOffset, endStationIdOffset, startLat, startLng, endLat, endLng, memberCasual) {
    _Trip.startTrip(builder);
    _Trip.addRideId(builder, rideIdOffset);
    _Trip.addRideableType(builder, rideableType);
    _Trip.addStartedAt(builder, startedAt);
    _Trip.addEndedAt(builder, endedAt);
    _Trip.addStartStationName(builder, startStationNameOffset);
    _Trip.addStartStationId(builder, startStationIdOffset);
    _Trip.addEndStationName(builder, endStationNameOffset);
    _Trip.addEndStationId(builder, endStationIdOffset);
    _Trip.addStartLat(builder, startLat);
    _Trip.addStartLng(builder, startLng);
    if (endLat !== null)
      _Trip.addEndLat(builder, endLat);
    if (endLng !== null)
      _Trip.addEndLng(builder, endLng);
    _Trip.addMemberCasual(builder, memberCasual);
    return _Trip.endTrip(builder);
  }
};

// unspool/demo/trips.ts
import * as flatbuffers2 from "flatbuffers";
var Trips = class _Trips {
  bb = null;
  bb_pos = 0;
  __init(i, bb) {
    this.bb_pos = i;
    this.bb = bb;
    return this;
  }
  static getRootAsTrips(bb, obj) {
    return (obj || new _Trips()).__init(bb.readInt32(bb.position()) + bb.position(), bb);
  }
  static getSizePrefixedRootAsTrips(bb, obj) {
    bb.setPosition(bb.position() + flatbuffers2.SIZE_PREFIX_LENGTH);
    return (obj || new _Trips()).__init(bb.readInt32(bb.position()) + bb.position(), bb);
  }
  trips(index, obj) {
    const offset = this.bb.__offset(this.bb_pos, 4);
    return offset ? (obj || new Trip()).__init(this.bb.__indirect(this.bb.__vector(this.bb_pos + offset) + index * 4), this.bb) : null;
  }
  tripsLength() {
    const offset = this.bb.__offset(this.bb_pos, 4);
    return offset ? this.bb.__vector_len(this.bb_pos + offset) : 0;
  }
  static startTrips(builder) {
    builder.startObject(1);
  }
  static addTrips(builder, tripsOffset) {
    builder.addFieldOffset(0, tripsOffset, 0);
  }
  static createTripsVector(builder, data) {
    builder.startVector(4, data.length, 4);
    for (let i = data.length - 1; i >= 0; i--) {
      builder.addOffset(data[i]);
    }
    return builder.endVector();
  }
  static startTripsVector(builder, numElems) {
    builder.startVector(4, numElems, 4);
  }
  static endTrips(builder) {
    const offset = builder.endObject();
    return offset;
  }
  static finishTripsBuffer(builder, offset) {
    builder.finish(offset);
  }
  static finishSizePrefixedTripsBuffer(builder, offset) {
    builder.finish(offset, void 0, true);
  }
  static createTrips(builder, tripsOffset) {
    _Trips.startTrips(builder);
    _Trips.addTrips(builder, tripsOffset);
    return _Trips.endTrips(builder);
  }
};
export {
  MemberCasual,
  RideableType,
  Trip,
  Trips
};
