"""Random values as Python's msgpack writes them."""

import datetime

import msgpack
from cases import arguments, integer, number, octets, tagged, text, write

given, rng = arguments(__doc__)


def value(depth=0):
    kind = rng.randrange(11 if depth < 4 else 8)
    if kind < 8:
        return [None, True, False, integer(rng), number(rng), text(rng), octets(rng), moment()][kind]
    if kind < 10:
        return {text(rng): value(depth + 1) for _ in range(rng.choice([0, 1, 3, 17]))}
    return [value(depth + 1) for _ in range(rng.choice([0, 1, 3, 17]))]


def moment():
    return datetime.datetime.fromtimestamp(rng.randrange(-2 ** 33, 2 ** 35), datetime.timezone.utc) + datetime.timedelta(milliseconds=rng.randrange(1000))


write({'witness': f'Python msgpack {".".join(map(str, msgpack.version))}', 'format': 'messagepack', 'seed': given.seed, 'options': {}})
made = 0
while made < given.count:
    item = value()
    data = msgpack.packb(item, datetime=True, use_bin_type=True)
    if len(data) > 400:
        continue
    made += 1
    write({'hex': data.hex(), 'value': tagged(item)})
