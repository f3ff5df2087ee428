"""Messages made field by field on the wire, and what upb (Python's protobuf) reads: proto2, proto3 and the edition 2023."""

import os
import struct
import tempfile

from cases import arguments, tagged, text, write
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, unknown_fields
from google.protobuf.internal import api_implementation
from grpc_tools import protoc
from google.protobuf.message import DecodeError
import google.protobuf
import grpc_tools

FILES = {
    'proto2': ('test_messages_proto2.proto', 'protobuf_test_messages.proto2.TestAllTypesProto2'),
    'proto3': ('test_messages_proto3.proto', 'protobuf_test_messages.proto3.TestAllTypesProto3'),
    'edition2023': ('test_messages_edition2023.proto', 'protobuf_test_messages.editions.TestAllTypesEdition2023'),
}
# An additional schema with delimited messages by a feature of the file.
DELIMITED = '''edition = "2023"; package delimited; option features.message_encoding = DELIMITED;
message M {
  int32 a = 1; M m = 2; repeated M list = 3; map<int32, int32> numbers = 4; map<string, M> messages = 5; string text = 6;
  S prefixed = 7 [features.message_encoding = LENGTH_PREFIXED]; string raw = 8 [features.utf8_validation = NONE];
  map<string, string> raw_map = 9 [features.utf8_validation = NONE]; oneof one { M left = 10; string right = 11; Closed either = 12; }
  Closed closed = 13; repeated Closed all = 14; repeated string raws = 16 [features.utf8_validation = NONE];
  message S { int32 x = 1; string text = 2; } }
enum Closed { option features.enum_type = CLOSED; A = 1; B = -2; }
'''

VARINT, I64, LEN, SGROUP, EGROUP, I32 = range(6)
WIRE = {1: I64, 2: I32, 3: VARINT, 4: VARINT, 5: VARINT, 6: I64, 7: I32, 8: VARINT, 9: LEN, 10: SGROUP, 11: LEN, 12: LEN, 13: VARINT,
        14: VARINT, 15: I32, 16: I64, 17: VARINT, 18: VARINT}
EDGES = [0, 1, 2, 127, 128, 300, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53, 2 ** 63 - 1, 2 ** 63, 2 ** 64 - 1]


class Maker:
    def __init__(self, rng, pool):
        self.rng = rng
        self.pool = pool

    def varint(self, value):
        out = bytearray()
        while value > 127:
            out.append(value & 127 | 128)
            value >>= 7
        out.append(value)
        if self.rng.random() < 0.03:
            # More bytes than needed; sometimes too many.
            for _ in range(self.rng.choice([1, 1, 2, 3, 4, 5, 9, 10])):
                out[-1] |= 128
                out.append(self.rng.choice([0, 0, 0, 1, 2, 127]))
        return bytes(out)

    def plain_varint(self, value):
        out = bytearray()
        while value > 127:
            out.append(value & 127 | 128)
            value >>= 7
        return bytes(out + bytes([value]))

    def tag(self, number, wire):
        return self.varint(number * 8 + wire) if self.rng.random() < 0.1 else self.plain_varint(number * 8 + wire)

    def scalar(self, field):
        rng, kind = self.rng, field.type
        if WIRE[kind] == VARINT:
            if kind == 14 and rng.random() < 0.7:
                return self.plain_varint(rng.choice(field.enum_type.values).number & 2 ** 64 - 1)
            return self.varint(rng.choice(EDGES) if rng.random() < 0.5 else rng.getrandbits(rng.randrange(1, 65)))
        if WIRE[kind] in (I32, I64):
            size = 4 if WIRE[kind] == I32 else 8
            if kind in (1, 2) and rng.random() < 0.6:
                return struct.pack('<f' if size == 4 else '<d', rng.choice([0.0, -0.0, 1.5, -2.25, float('inf'), float('nan'), rng.uniform(-1e6, 1e6)]))
            return rng.choice([bytes(size), bytes(rng.getrandbits(8) for _ in range(size))])
        data = text(rng)[:12].encode() if kind == 9 or rng.random() < 0.5 else bytes(rng.getrandbits(8) for _ in range(rng.randrange(6)))
        if kind == 9 and rng.random() < 0.02:
            data += rng.choice([b'\xff', b'\xc0\x80', b'\xed\xa0\x80', b'\xf5\x80\x80\x80', b'\xe2\x82'])
        return self.prefixed(data)

    def prefixed(self, data):
        return self.varint(len(data)) + data if self.rng.random() < 0.05 else self.plain_varint(len(data)) + data

    def field(self, field, depth):
        rng, number = self.rng, field.number
        if rng.random() < 0.03 and not field.containing_type.GetOptions().map_entry:
            return self.unknown(number, depth)
        if field.message_type is not None:
            data = self.message(field.message_type, depth + 1)
            if field.type == 10:
                return self.tag(number, SGROUP) + data + self.tag(number, EGROUP)
            return self.tag(number, LEN) + self.prefixed(data)
        if field.is_repeated and WIRE[field.type] != LEN and rng.random() < 0.6:
            return self.tag(number, LEN) + self.prefixed(b''.join(self.scalar(field) for _ in range(rng.randrange(4))))
        return self.tag(number, WIRE[field.type]) + self.scalar(field)

    def unknown(self, number, depth):
        rng = self.rng
        wire = rng.choice([VARINT, I64, LEN, SGROUP, I32])
        body = {VARINT: lambda: self.varint(rng.getrandbits(40)), I64: lambda: bytes(8), I32: lambda: bytes(4),
                LEN: lambda: self.prefixed(bytes(rng.getrandbits(8) for _ in range(3))),
                SGROUP: lambda: (self.unknown(7, depth + 1) if depth < 3 else b'') + self.plain_varint(number * 8 + EGROUP)}[wire]()
        return self.tag(number, wire) + body

    def message(self, descriptor, depth):
        rng = self.rng
        fields = list(descriptor.fields)
        if not descriptor.GetOptions().map_entry:
            fields += list(self.pool.FindAllExtensions(descriptor))
        if depth > 2:
            fields = [field for field in fields if field.message_type is None]
        # A few repeated fields are more informative than many single ones.
        is_entry = descriptor.GetOptions().map_entry
        few = rng.sample(fields, min(len(fields), rng.choice([1, 2, 3, 5]))) if fields else []
        parts = [self.field(rng.choice(few), depth) for _ in range(rng.choice([0, 1, 2, 3, 4, 6]))] if few else []
        if is_entry and descriptor.fields_by_name['value'].enum_type is not None:
            # upb drops an entry with an unknown number before a known one.
            parts = [self.field(field, depth) for field in few]
        if rng.random() < 0.1 and not is_entry:
            parts.insert(rng.randrange(len(parts) + 1), self.unknown(rng.choice([3999, 99, 536870911]), depth))
        return b''.join(parts)

    def damaged(self, data):
        rng = self.rng
        if not data or rng.random() < 0.85:
            return data
        at = rng.randrange(len(data))
        return rng.choice([data[:at], data[:at] + bytes([rng.getrandbits(8)]) + data[at + 1:], data[:at] + data[at + 1:], data + data[at:]])


def value_of(message):
    """The set fields by name; 64-bit integers and the keys of maps are text."""
    result = {}
    for field, value in message.ListFields():
        name = f'[{field.full_name}]' if field.is_extension else field.name
        entry = field.message_type is not None and field.message_type.GetOptions().map_entry
        if entry:
            inner = field.message_type.fields_by_name['value']
            result[name] = {key_of(key): one(inner, item) for key, item in value.items()}
        elif field.is_repeated:
            result[name] = [one(field, item) for item in value]
        else:
            result[name] = one(field, value)
    return result


def keeps_entry(message):
    """True if upb dropped an entry of a map because of an unknown field, as no other library does."""
    for unknown in unknown_fields.UnknownFieldSet(message):
        field = message.DESCRIPTOR.fields_by_number.get(unknown.field_number)
        entry = field is not None and field.message_type is not None and field.message_type.GetOptions().map_entry
        if not entry or unknown.wire_type != LEN:
            continue
        # An unknown number of a closed enum makes an entry unknown, for us as well.
        inner = unknown_fields.UnknownFieldSet(message_factory.GetMessageClass(field.message_type).FromString(unknown.data))
        if field.message_type.fields_by_name['value'].enum_type is None or any(part.field_number != 2 for part in inner):
            return True
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.message_type.GetOptions().map_entry:
            inner = field.message_type.fields_by_name['value'].message_type
            items = value.values() if inner is not None else []
        else:
            items = value if field.is_repeated else [value]
        if any(keeps_entry(item) for item in items):
            return True
    return False


def text_of(value):
    """An unvalidated string that is not UTF-8 is bytes; we use replacement characters."""
    return value.decode('utf-8', 'replace') if isinstance(value, bytes) else value


def key_of(key):
    if isinstance(key, bytes):
        return text_of(key)
    return str(key).lower() if isinstance(key, bool) else str(key)


def one(field, value):
    if field.message_type is not None:
        return value_of(value)
    if field.type in (3, 4, 6, 16, 18):
        return str(value)
    if field.type == 9:
        return text_of(value)
    return tagged(value)


def compiled(folder, file):
    with tempfile.TemporaryDirectory() as out:
        path = os.path.join(out, 'set')
        include = os.path.join(os.path.dirname(grpc_tools.__file__), '_proto')
        code = protoc.main(['protoc', f'-I{folder}', f'-I{include}', '--include_imports', f'--descriptor_set_out={path}', file])
        if code != 0:
            raise SystemExit(f'protoc cannot compile {file}')
        with open(path, 'rb') as source:
            return source.read()


def main():
    given, rng = arguments(__doc__)
    if api_implementation.Type() != 'upb':
        raise SystemExit('this Python has no upb')
    schemas, kinds = {}, []
    with tempfile.TemporaryDirectory() as own:
        with open(os.path.join(own, 'delimited.proto'), 'w', encoding='utf-8') as file:
            file.write(DELIMITED)
        sources = [(name, os.path.join(given.corpora, 'protobuf'), *file) for name, file in FILES.items()]
        for name, folder, file, message in [*sources, ('delimited', own, 'delimited.proto', 'delimited.M')]:
            data = compiled(folder, file)
            pool = descriptor_pool.DescriptorPool()
            for item in descriptor_pb2.FileDescriptorSet.FromString(data).file:
                pool.Add(item)
            kinds.append((name, pool, message_factory.GetMessageClass(pool.FindMessageTypeByName(message))))
            proto = DELIMITED if folder == own else {'$corpus': f'protobuf/{file}'}
            schemas[name] = {'proto': proto, 'message': message}
            if not given.keep:
                schemas[f'{name} by descriptors'] = {'descriptorSet': {'$bytes': data.hex()}, 'message': message}
    write({'witness': f'upb of Python protobuf {google.protobuf.__version__}', 'format': 'protobuf', 'seed': given.seed,
           'options': {'defaults': 'none', 'int64': 'string', 'names': 'proto'}, 'schemas': schemas})
    made = 0
    while made < given.count:
        name, pool, kind = rng.choice(kinds)
        maker = Maker(rng, pool)
        data = maker.damaged(maker.message(kind.DESCRIPTOR, 0))
        if len(data) > 160:
            continue
        line = {'schema': name, 'hex': data.hex()}
        try:
            message = kind.FromString(data)
            if keeps_entry(message):
                continue
            if not message.IsInitialized():
                raise ValueError('required fields are missing')
            line['value'] = value_of(message)
        except UnicodeDecodeError:
            # Python cannot represent maps with keys that are not UTF-8, although upb reads them.
            continue
        except (DecodeError, ValueError):
            line['error'] = True
        made += 1
        write(line)


main()
