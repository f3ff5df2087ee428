// @ts-nocheck
import jspb from 'google-protobuf';

export function Trip(data) {
  jspb.Message.initialize(this, data, 0, -1, null, null);
}
jspb.inherits(Trip, jspb.Message);
Trip.deserializeBinary = (bytes) => Trip.deserializeBinaryFromReader(new Trip(), new jspb.BinaryReader(bytes));
Trip.prototype.getRideId = function () {
  return jspb.Message.getFieldWithDefault(this, 1, "");
};
Trip.prototype.setRideId = function (value) {
  return jspb.Message.setProto3StringField(this, 1, value);
};
Trip.prototype.getRideableType = function () {
  return jspb.Message.getFieldWithDefault(this, 2, 0);
};
Trip.prototype.setRideableType = function (value) {
  return jspb.Message.setProto3EnumField(this, 2, value);
};
Trip.prototype.getStartedAt = function () {
  return jspb.Message.getFieldWithDefault(this, 3, 0);
};
Trip.prototype.setStartedAt = function (value) {
  return jspb.Message.setProto3IntField(this, 3, value);
};
Trip.prototype.getEndedAt = function () {
  return jspb.Message.getFieldWithDefault(this, 4, 0);
};
Trip.prototype.setEndedAt = function (value) {
  return jspb.Message.setProto3IntField(this, 4, value);
};
Trip.prototype.getStartStationName = function () {
  return jspb.Message.getFieldWithDefault(this, 5, "");
};
Trip.prototype.setStartStationName = function (value) {
  return jspb.Message.setProto3StringField(this, 5, value);
};
Trip.prototype.getStartStationId = function () {
  return jspb.Message.getFieldWithDefault(this, 6, "");
};
Trip.prototype.setStartStationId = function (value) {
  return jspb.Message.setProto3StringField(this, 6, value);
};
Trip.prototype.getEndStationName = function () {
  return jspb.Message.getFieldWithDefault(this, 7, "");
};
Trip.prototype.setEndStationName = function (value) {
  return jspb.Message.setField(this, 7, value);
};
Trip.prototype.hasEndStationName = function () {
  return jspb.Message.getField(this, 7) != null;
};
Trip.prototype.getEndStationId = function () {
  return jspb.Message.getFieldWithDefault(this, 8, "");
};
Trip.prototype.setEndStationId = function (value) {
  return jspb.Message.setField(this, 8, value);
};
Trip.prototype.hasEndStationId = function () {
  return jspb.Message.getField(this, 8) != null;
};
Trip.prototype.getStartLat = function () {
  return jspb.Message.getFloatingPointFieldWithDefault(this, 9, 0.0);
};
Trip.prototype.setStartLat = function (value) {
  return jspb.Message.setProto3FloatField(this, 9, value);
};
Trip.prototype.getStartLng = function () {
  return jspb.Message.getFloatingPointFieldWithDefault(this, 10, 0.0);
};
Trip.prototype.setStartLng = function (value) {
  return jspb.Message.setProto3FloatField(this, 10, value);
};
Trip.prototype.getEndLat = function () {
  return jspb.Message.getFloatingPointFieldWithDefault(this, 11, 0.0);
};
Trip.prototype.setEndLat = function (value) {
  return jspb.Message.setField(this, 11, value);
};
Trip.prototype.hasEndLat = function () {
  return jspb.Message.getField(this, 11) != null;
};
Trip.prototype.getEndLng = function () {
  return jspb.Message.getFloatingPointFieldWithDefault(this, 12, 0.0);
};
Trip.prototype.setEndLng = function (value) {
  return jspb.Message.setField(this, 12, value);
};
Trip.prototype.hasEndLng = function () {
  return jspb.Message.getField(this, 12) != null;
};
Trip.prototype.getMemberCasual = function () {
  return jspb.Message.getFieldWithDefault(this, 13, 0);
};
Trip.prototype.setMemberCasual = function (value) {
  return jspb.Message.setProto3EnumField(this, 13, value);
};
Trip.deserializeBinaryFromReader = (message, reader) => {
  while (reader.nextField() && !reader.isEndGroup()) {
    switch (reader.getFieldNumber()) {
      case 1:
        message.setRideId(reader.readStringRequireUtf8());
        break;
      case 2:
        message.setRideableType(reader.readEnum());
        break;
      case 3:
        message.setStartedAt(reader.readInt64());
        break;
      case 4:
        message.setEndedAt(reader.readInt64());
        break;
      case 5:
        message.setStartStationName(reader.readStringRequireUtf8());
        break;
      case 6:
        message.setStartStationId(reader.readStringRequireUtf8());
        break;
      case 7:
        message.setEndStationName(reader.readStringRequireUtf8());
        break;
      case 8:
        message.setEndStationId(reader.readStringRequireUtf8());
        break;
      case 9:
        message.setStartLat(reader.readDouble());
        break;
      case 10:
        message.setStartLng(reader.readDouble());
        break;
      case 11:
        message.setEndLat(reader.readDouble());
        break;
      case 12:
        message.setEndLng(reader.readDouble());
        break;
      case 13:
        message.setMemberCasual(reader.readEnum());
        break;
      default:
        reader.skipField();
    }
  }
  return message;
};
Trip.prototype.serializeBinary = function () {
  const writer = new jspb.BinaryWriter();
  Trip.serializeBinaryToWriter(this, writer);
  return writer.getResultBuffer();
};
Trip.serializeBinaryToWriter = (message, writer) => {
  let f = undefined;
  f = message.getRideId();
  if (f.length > 0) writer.writeString(1, f);
  f = message.getRideableType();
  if (f !== 0.0) writer.writeEnum(2, f);
  f = message.getStartedAt();
  if (f !== 0) writer.writeInt64(3, f);
  f = message.getEndedAt();
  if (f !== 0) writer.writeInt64(4, f);
  f = message.getStartStationName();
  if (f.length > 0) writer.writeString(5, f);
  f = message.getStartStationId();
  if (f.length > 0) writer.writeString(6, f);
  f = jspb.Message.getField(message, 7);
  if (f != null) writer.writeString(7, f);
  f = jspb.Message.getField(message, 8);
  if (f != null) writer.writeString(8, f);
  f = message.getStartLat();
  if (f !== 0.0) writer.writeDouble(9, f);
  f = message.getStartLng();
  if (f !== 0.0) writer.writeDouble(10, f);
  f = jspb.Message.getField(message, 11);
  if (f != null) writer.writeDouble(11, f);
  f = jspb.Message.getField(message, 12);
  if (f != null) writer.writeDouble(12, f);
  f = message.getMemberCasual();
  if (f !== 0.0) writer.writeEnum(13, f);
};

export function Trips(data) {
  jspb.Message.initialize(this, data, 0, -1, [1], null);
}
jspb.inherits(Trips, jspb.Message);
Trips.deserializeBinary = (bytes) => Trips.deserializeBinaryFromReader(new Trips(), new jspb.BinaryReader(bytes));
Trips.prototype.getTripsList = function () {
  return jspb.Message.getRepeatedWrapperField(this, Trip, 1);
};
Trips.prototype.addTrips = function (value) {
  return jspb.Message.addToRepeatedWrapperField(this, 1, value, Trip);
};
Trips.deserializeBinaryFromReader = (message, reader) => {
  while (reader.nextField() && !reader.isEndGroup()) {
    switch (reader.getFieldNumber()) {
      case 1: {
        const value = new Trip();
        reader.readMessage(value, Trip.deserializeBinaryFromReader);
        message.addTrips(value);
        break;
      }
      default:
        reader.skipField();
    }
  }
  return message;
};
Trips.prototype.serializeBinary = function () {
  const writer = new jspb.BinaryWriter();
  Trips.serializeBinaryToWriter(this, writer);
  return writer.getResultBuffer();
};
Trips.serializeBinaryToWriter = (message, writer) => {
  let f = undefined;
  f = message.getTripsList();
  if (f.length > 0) writer.writeRepeatedMessage(1, f, Trip.serializeBinaryToWriter);
};

export function Point(data) {
  jspb.Message.initialize(this, data, 0, -1, null, null);
}
jspb.inherits(Point, jspb.Message);
Point.deserializeBinary = (bytes) => Point.deserializeBinaryFromReader(new Point(), new jspb.BinaryReader(bytes));
Point.prototype.getX = function () {
  return jspb.Message.getFloatingPointFieldWithDefault(this, 1, 0.0);
};
Point.prototype.setX = function (value) {
  return jspb.Message.setProto3FloatField(this, 1, value);
};
Point.prototype.getY = function () {
  return jspb.Message.getFloatingPointFieldWithDefault(this, 2, 0.0);
};
Point.prototype.setY = function (value) {
  return jspb.Message.setProto3FloatField(this, 2, value);
};
Point.prototype.getZ = function () {
  return jspb.Message.getFloatingPointFieldWithDefault(this, 3, 0.0);
};
Point.prototype.setZ = function (value) {
  return jspb.Message.setProto3FloatField(this, 3, value);
};
Point.deserializeBinaryFromReader = (message, reader) => {
  while (reader.nextField() && !reader.isEndGroup()) {
    switch (reader.getFieldNumber()) {
      case 1:
        message.setX(reader.readDouble());
        break;
      case 2:
        message.setY(reader.readDouble());
        break;
      case 3:
        message.setZ(reader.readDouble());
        break;
      default:
        reader.skipField();
    }
  }
  return message;
};
Point.prototype.serializeBinary = function () {
  const writer = new jspb.BinaryWriter();
  Point.serializeBinaryToWriter(this, writer);
  return writer.getResultBuffer();
};
Point.serializeBinaryToWriter = (message, writer) => {
  let f = undefined;
  f = message.getX();
  if (f !== 0.0) writer.writeDouble(1, f);
  f = message.getY();
  if (f !== 0.0) writer.writeDouble(2, f);
  f = message.getZ();
  if (f !== 0.0) writer.writeDouble(3, f);
};

export function Numbers(data) {
  jspb.Message.initialize(this, data, 0, -1, [1], null);
}
jspb.inherits(Numbers, jspb.Message);
Numbers.deserializeBinary = (bytes) => Numbers.deserializeBinaryFromReader(new Numbers(), new jspb.BinaryReader(bytes));
Numbers.prototype.getItemsList = function () {
  return jspb.Message.getRepeatedWrapperField(this, Point, 1);
};
Numbers.prototype.addItems = function (value) {
  return jspb.Message.addToRepeatedWrapperField(this, 1, value, Point);
};
Numbers.deserializeBinaryFromReader = (message, reader) => {
  while (reader.nextField() && !reader.isEndGroup()) {
    switch (reader.getFieldNumber()) {
      case 1: {
        const value = new Point();
        reader.readMessage(value, Point.deserializeBinaryFromReader);
        message.addItems(value);
        break;
      }
      default:
        reader.skipField();
    }
  }
  return message;
};
Numbers.prototype.serializeBinary = function () {
  const writer = new jspb.BinaryWriter();
  Numbers.serializeBinaryToWriter(this, writer);
  return writer.getResultBuffer();
};
Numbers.serializeBinaryToWriter = (message, writer) => {
  let f = undefined;
  f = message.getItemsList();
  if (f.length > 0) writer.writeRepeatedMessage(1, f, Point.serializeBinaryToWriter);
};
