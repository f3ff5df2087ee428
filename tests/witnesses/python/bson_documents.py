"""Random documents as pymongo's bson writes them."""

import datetime
import uuid

import bson
import pymongo
from bson.binary import Binary, UuidRepresentation
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.objectid import ObjectId
from cases import arguments, integer, number, octets, tagged, text, write

given, rng = arguments(__doc__)


class Shown:
    """A value and the value that is read."""

    def __init__(self, written, read):
        self.written = written
        self.read = read


def name():
    return text(rng).replace('\x00', '')


def value(depth=0):
    kind = rng.randrange(13 if depth < 3 else 11)
    if kind == 0:
        return Shown(*[rng.choice([None, True, False])] * 2)
    if kind in (1, 2):
        whole = integer(rng)
        return Shown(Int64(whole) if rng.random() < 0.5 else whole, whole)
    if kind == 3:
        return Shown(*[number(rng)] * 2)
    if kind in (4, 5):
        return Shown(*[text(rng)] * 2)
    if kind == 6:
        data = octets(rng)
        return Shown(Binary(data, rng.choice([0, 5, 128])), data)
    if kind == 7:
        digits = ''.join(rng.choice('0123456789abcdef') for _ in range(24))
        return Shown(ObjectId(digits), digits)
    if kind == 8:
        moment = datetime.datetime.fromtimestamp(rng.randrange(-2 ** 33, 2 ** 35), datetime.timezone.utc)
        return Shown(moment, moment)
    if kind == 9:
        some = uuid.UUID(int=rng.getrandbits(128))
        return Shown(Binary.from_uuid(some, UuidRepresentation.STANDARD), str(some))
    if kind == 10:
        decimal = Decimal128(f'{rng.randrange(-10 ** 12, 10 ** 12)}E{rng.randrange(-40, 40)}')
        return Shown(decimal, str(decimal))
    if kind == 11:
        items = [value(depth + 1) for _ in range(rng.choice([0, 1, 4, 12]))]
        return Shown([item.written for item in items], [item.read for item in items])
    return document(depth + 1)


def document(depth):
    fields = {name(): value(depth) for _ in range(rng.choice([0, 1, 3, 6]))}
    return Shown({key: item.written for key, item in fields.items()}, {key: item.read for key, item in fields.items()})


write({'witness': f'bson of pymongo {pymongo.version}', 'format': 'bson', 'seed': given.seed, 'options': {}})
made = 0
while made < given.count:
    item = document(0)
    data = bson.encode(item.written)
    if len(data) > 400:
        continue
    made += 1
    write({'hex': data.hex(), 'value': tagged(item.read)})
