"""Reads values that Unspool has written, and compares them with the values of the original bytes.

Standard input: a line with the format and its schemas, then a line with the bytes of either kind for each value. Standard
output: the indices of the lines whose values differ, with what was read.
"""

import io
import json
import math
import sys


def reader_of(header):
    """The function that decodes bytes by the name of their schema."""
    if header['format'] == 'json':
        return lambda data, _: json.loads(data)
    if header['format'] == 'messagepack':
        import msgpack
        return lambda data, _: msgpack.unpackb(data, timestamp=3, strict_map_key=False)
    if header['format'] == 'cbor':
        import cbor2
        return lambda data, _: cbor2.loads(data)
    if header['format'] == 'bson':
        from bson.codec_options import CodecOptions
        import bson
        options = CodecOptions(tz_aware=True)
        return lambda data, _: bson.decode(data, codec_options=options)
    if header['format'] == 'avro':
        import fastavro
        schemas = {name: fastavro.parse_schema(schema['writer']) for name, schema in header['schemas'].items()}
        return lambda data, name: fastavro.schemaless_reader(io.BytesIO(data), schemas[name], None)
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
    kinds = {}
    for name, schema in header['schemas'].items():
        if '$bytes' not in schema.get('descriptorSet', {}):
            continue
        pool = descriptor_pool.DescriptorPool()
        for item in descriptor_pb2.FileDescriptorSet.FromString(bytes.fromhex(schema['descriptorSet']['$bytes'])).file:
            pool.Add(item)
        kinds[name.replace(' by descriptors', '')] = message_factory.GetMessageClass(pool.FindMessageTypeByName(schema['message']))

    def read(data, name):
        message = kinds[name].FromString(data)
        message.DiscardUnknownFields()
        return message.SerializeToString(deterministic=True)
    return read


def same(one, other):
    """True if values are equal: NaN equals NaN, and −0 differs from 0.

    JavaScript does not tell an integer from the float of its value, and puts keys that are integers first.
    """
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        if isinstance(one, float) and math.isnan(one):
            return isinstance(other, float) and math.isnan(other)
        return one == other and math.copysign(1, one) == math.copysign(1, other)
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(same(item, other[key]) for key, item in one.items())
    if isinstance(one, (list, tuple)):
        return isinstance(other, (list, tuple)) and len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


def main():
    header = json.loads(sys.stdin.readline())
    read = reader_of(header)
    for index, line in enumerate(sys.stdin):
        item = json.loads(line)
        try:
            expected = read(bytes.fromhex(item['original']), item.get('schema'))
            found = read(bytes.fromhex(item['written']), item.get('schema'))
        except Exception as error:  # Whatever a library throws is a difference.
            print(json.dumps([index, f'{type(error).__name__}: {error}']))
            continue
        if not same(found, expected):
            print(json.dumps([index, repr(found)]))


main()
