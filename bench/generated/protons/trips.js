// @ts-nocheck
import { decodeMessage, encodeMessage, enumeration, MaxLengthError, message, streamMessage } from "protons-runtime";
export var Trips;
((Trips2) => {
  let _codec;
  Trips2.codec = () => {
    if (_codec == null) {
      _codec = message((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork();
        }
        if (obj.trips != null && obj.trips.length > 0) {
          for (const value of obj.trips) {
            w.uint32(10);
            Trip.codec().encode(value, w);
          }
        }
        if (opts.lengthDelimited !== false) {
          w.ldelim();
        }
      }, (reader, length, opts = {}) => {
        const obj = {
          trips: []
        };
        const end = length == null ? reader.len : reader.pos + length;
        while (reader.pos < end) {
          const tag = reader.uint32();
          switch (tag >>> 3) {
            case 1: {
              if (opts.limits?.trips != null && obj.trips.length === opts.limits.trips) {
                throw new MaxLengthError('Decode error - repeated field "trips" had too many elements');
              }
              obj.trips.push(Trip.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.trips$
              }));
              break;
            }
            default: {
              reader.skipType(tag & 7);
              break;
            }
          }
        }
        return obj;
      }, function* (reader, length, prefix, opts = {}) {
        const obj = {
          trips: 0
        };
        const end = length == null ? reader.len : reader.pos + length;
        while (reader.pos < end) {
          const tag = reader.uint32();
          switch (tag >>> 3) {
            case 1: {
              if (opts.limits?.trips != null && obj.trips === opts.limits.trips) {
                throw new MaxLengthError('Streaming decode error - repeated field "trips" had too many elements');
              }
              for (const evt of Trip.codec().stream(reader, reader.uint32(), `${prefix}.trips[]`, {
                limits: opts.limits?.trips$
              })) {
                yield {
                  ...evt,
                  index: obj.trips
                };
              }
              obj.trips++;
              break;
            }
            default: {
              reader.skipType(tag & 7);
              break;
            }
          }
        }
      });
    }
    return _codec;
  };
  function encode(obj) {
    return encodeMessage(obj, Trips2.codec());
  }
  Trips2.encode = encode;
  function decode(buf, opts) {
    return decodeMessage(buf, Trips2.codec(), opts);
  }
  Trips2.decode = decode;
  function stream(buf, opts) {
    return streamMessage(buf, Trips2.codec(), opts);
  }
  Trips2.stream = stream;
})(Trips || (Trips = {}));
export var Trip;
((Trip2) => {
  let _codec;
  Trip2.codec = () => {
    if (_codec == null) {
      _codec = message((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork();
        }
        if (obj.rideId != null && obj.rideId !== "") {
          w.uint32(10);
          w.string(obj.rideId);
        }
        if (obj.rideableType != null && __RideableTypeValues[obj.rideableType] !== 0) {
          w.uint32(16);
          RideableType.codec().encode(obj.rideableType, w);
        }
        if (obj.startedAt != null && obj.startedAt !== 0) {
          w.uint32(24);
          w.int64Number(obj.startedAt);
        }
        if (obj.endedAt != null && obj.endedAt !== 0) {
          w.uint32(32);
          w.int64Number(obj.endedAt);
        }
        if (obj.startStationName != null && obj.startStationName !== "") {
          w.uint32(42);
          w.string(obj.startStationName);
        }
        if (obj.startStationId != null && obj.startStationId !== "") {
          w.uint32(50);
          w.string(obj.startStationId);
        }
        if (obj.endStationName != null) {
          w.uint32(58);
          w.string(obj.endStationName);
        }
        if (obj.endStationId != null) {
          w.uint32(66);
          w.string(obj.endStationId);
        }
        if (obj.startLat != null && obj.startLat !== 0) {
          w.uint32(73);
          w.double(obj.startLat);
        }
        if (obj.startLng != null && obj.startLng !== 0) {
          w.uint32(81);
          w.double(obj.startLng);
        }
        if (obj.endLat != null) {
          w.uint32(89);
          w.double(obj.endLat);
        }
        if (obj.endLng != null) {
          w.uint32(97);
          w.double(obj.endLng);
        }
        if (obj.memberCasual != null && __MemberCasualValues[obj.memberCasual] !== 0) {
          w.uint32(104);
          MemberCasual.codec().encode(obj.memberCasual, w);
        }
        if (opts.lengthDelimited !== false) {
          w.ldelim();
        }
      }, (reader, length, opts = {}) => {
        const obj = {
          rideId: "",
          rideableType: "electric_bike" /* electric_bike */,
          startedAt: 0,
          endedAt: 0,
          startStationName: "",
          startStationId: "",
          startLat: 0,
          startLng: 0,
          memberCasual: "member" /* member */
        };
        const end = length == null ? reader.len : reader.pos + length;
        while (reader.pos < end) {
          const tag = reader.uint32();
          switch (tag >>> 3) {
            case 1: {
              obj.rideId = reader.string();
              break;
            }
            case 2: {
              obj.rideableType = RideableType.codec().decode(reader);
              break;
            }
            case 3: {
              obj.startedAt = reader.int64Number();
              break;
            }
            case 4: {
              obj.endedAt = reader.int64Number();
              break;
            }
            case 5: {
              obj.startStationName = reader.string();
              break;
            }
            case 6: {
              obj.startStationId = reader.string();
              break;
            }
            case 7: {
              obj.endStationName = reader.string();
              break;
            }
            case 8: {
              obj.endStationId = reader.string();
              break;
            }
            case 9: {
              obj.startLat = reader.double();
              break;
            }
            case 10: {
              obj.startLng = reader.double();
              break;
            }
            case 11: {
              obj.endLat = reader.double();
              break;
            }
            case 12: {
              obj.endLng = reader.double();
              break;
            }
            case 13: {
              obj.memberCasual = MemberCasual.codec().decode(reader);
              break;
            }
            default: {
              reader.skipType(tag & 7);
              break;
            }
          }
        }
        return obj;
      }, function* (reader, length, prefix, opts = {}) {
        const end = length == null ? reader.len : reader.pos + length;
        while (reader.pos < end) {
          const tag = reader.uint32();
          switch (tag >>> 3) {
            case 1: {
              yield {
                field: `${prefix}.rideId`,
                value: reader.string()
              };
              break;
            }
            case 2: {
              yield {
                field: `${prefix}.rideableType`,
                value: RideableType.codec().decode(reader)
              };
              break;
            }
            case 3: {
              yield {
                field: `${prefix}.startedAt`,
                value: reader.int64Number()
              };
              break;
            }
            case 4: {
              yield {
                field: `${prefix}.endedAt`,
                value: reader.int64Number()
              };
              break;
            }
            case 5: {
              yield {
                field: `${prefix}.startStationName`,
                value: reader.string()
              };
              break;
            }
            case 6: {
              yield {
                field: `${prefix}.startStationId`,
                value: reader.string()
              };
              break;
            }
            case 7: {
              yield {
                field: `${prefix}.endStationName`,
                value: reader.string()
              };
              break;
            }
            case 8: {
              yield {
                field: `${prefix}.endStationId`,
                value: reader.string()
              };
              break;
            }
            case 9: {
              yield {
                field: `${prefix}.startLat`,
                value: reader.double()
              };
              break;
            }
            case 10: {
              yield {
                field: `${prefix}.startLng`,
                value: reader.double()
              };
              break;
            }
            case 11: {
              yield {
                field: `${prefix}.endLat`,
                value: reader.double()
              };
              break;
            }
            case 12: {
              yield {
                field: `${prefix}.endLng`,
                value: reader.double()
              };
              break;
            }
            case 13: {
              yield {
                field: `${prefix}.memberCasual`,
                value: MemberCasual.codec().decode(reader)
              };
              break;
            }
            default: {
              reader.skipType(tag & 7);
              break;
            }
          }
        }
      });
    }
    return _codec;
  };
  function encode(obj) {
    return encodeMessage(obj, Trip2.codec());
  }
  Trip2.encode = encode;
  function decode(buf, opts) {
    return decodeMessage(buf, Trip2.codec(), opts);
  }
  Trip2.decode = decode;
  function stream(buf, opts) {
    return streamMessage(buf, Trip2.codec(), opts);
  }
  Trip2.stream = stream;
})(Trip || (Trip = {}));
export var RideableType = /* @__PURE__ */ ((RideableType2) => {
  RideableType2["electric_bike"] = "electric_bike";
  RideableType2["classic_bike"] = "classic_bike";
  return RideableType2;
})(RideableType || {});
var __RideableTypeValues = /* @__PURE__ */ ((__RideableTypeValues2) => {
  __RideableTypeValues2[__RideableTypeValues2["electric_bike"] = 0] = "electric_bike";
  __RideableTypeValues2[__RideableTypeValues2["classic_bike"] = 1] = "classic_bike";
  return __RideableTypeValues2;
})(__RideableTypeValues || {});
((RideableType2) => {
  RideableType2.codec = () => {
    return enumeration(__RideableTypeValues);
  };
})(RideableType || (RideableType = {}));
export var MemberCasual = /* @__PURE__ */ ((MemberCasual2) => {
  MemberCasual2["member"] = "member";
  MemberCasual2["casual"] = "casual";
  return MemberCasual2;
})(MemberCasual || {});
var __MemberCasualValues = /* @__PURE__ */ ((__MemberCasualValues2) => {
  __MemberCasualValues2[__MemberCasualValues2["member"] = 0] = "member";
  __MemberCasualValues2[__MemberCasualValues2["casual"] = 1] = "casual";
  return __MemberCasualValues2;
})(__MemberCasualValues || {});
((MemberCasual2) => {
  MemberCasual2.codec = () => {
    return enumeration(__MemberCasualValues);
  };
})(MemberCasual || (MemberCasual = {}));
