// @ts-nocheck
import { decodeMessage, encodeMessage, MaxLengthError, message, streamMessage } from "protons-runtime";
export var Numbers;
((Numbers2) => {
  let _codec;
  Numbers2.codec = () => {
    if (_codec == null) {
      _codec = message((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork();
        }
        if (obj.items != null && obj.items.length > 0) {
          for (const value of obj.items) {
            w.uint32(10);
            Point.codec().encode(value, w);
          }
        }
        if (opts.lengthDelimited !== false) {
          w.ldelim();
        }
      }, (reader, length, opts = {}) => {
        const obj = {
          items: []
        };
        const end = length == null ? reader.len : reader.pos + length;
        while (reader.pos < end) {
          const tag = reader.uint32();
          switch (tag >>> 3) {
            case 1: {
              if (opts.limits?.items != null && obj.items.length === opts.limits.items) {
                throw new MaxLengthError('Decode error - repeated field "items" had too many elements');
              }
              obj.items.push(Point.codec().decode(reader, reader.uint32(), {
                limits: opts.limits?.items$
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
          items: 0
        };
        const end = length == null ? reader.len : reader.pos + length;
        while (reader.pos < end) {
          const tag = reader.uint32();
          switch (tag >>> 3) {
            case 1: {
              if (opts.limits?.items != null && obj.items === opts.limits.items) {
                throw new MaxLengthError('Streaming decode error - repeated field "items" had too many elements');
              }
              for (const evt of Point.codec().stream(reader, reader.uint32(), `${prefix}.items[]`, {
                limits: opts.limits?.items$
              })) {
                yield {
                  ...evt,
                  index: obj.items
                };
              }
              obj.items++;
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
    return encodeMessage(obj, Numbers2.codec());
  }
  Numbers2.encode = encode;
  function decode(buf, opts) {
    return decodeMessage(buf, Numbers2.codec(), opts);
  }
  Numbers2.decode = decode;
  function stream(buf, opts) {
    return streamMessage(buf, Numbers2.codec(), opts);
  }
  Numbers2.stream = stream;
})(Numbers || (Numbers = {}));
export var Point;
((Point2) => {
  let _codec;
  Point2.codec = () => {
    if (_codec == null) {
      _codec = message((obj, w, opts = {}) => {
        if (opts.lengthDelimited !== false) {
          w.fork();
        }
        if (obj.x != null && obj.x !== 0) {
          w.uint32(9);
          w.double(obj.x);
        }
        if (obj.y != null && obj.y !== 0) {
          w.uint32(17);
          w.double(obj.y);
        }
        if (obj.z != null && obj.z !== 0) {
          w.uint32(25);
          w.double(obj.z);
        }
        if (opts.lengthDelimited !== false) {
          w.ldelim();
        }
      }, (reader, length, opts = {}) => {
        const obj = {
          x: 0,
          y: 0,
          z: 0
        };
        const end = length == null ? reader.len : reader.pos + length;
        while (reader.pos < end) {
          const tag = reader.uint32();
          switch (tag >>> 3) {
            case 1: {
              obj.x = reader.double();
              break;
            }
            case 2: {
              obj.y = reader.double();
              break;
            }
            case 3: {
              obj.z = reader.double();
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
                field: `${prefix}.x`,
                value: reader.double()
              };
              break;
            }
            case 2: {
              yield {
                field: `${prefix}.y`,
                value: reader.double()
              };
              break;
            }
            case 3: {
              yield {
                field: `${prefix}.z`,
                value: reader.double()
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
    return encodeMessage(obj, Point2.codec());
  }
  Point2.encode = encode;
  function decode(buf, opts) {
    return decodeMessage(buf, Point2.codec(), opts);
  }
  Point2.decode = decode;
  function stream(buf, opts) {
    return streamMessage(buf, Point2.codec(), opts);
  }
  Point2.stream = stream;
})(Point || (Point = {}));
