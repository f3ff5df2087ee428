"""Random values as Python's cbor2 writes them, plainly and canonically."""

import importlib.metadata

import cbor2
from cases import arguments, integer, number, octets, tagged, text, write

given, rng = arguments(__doc__)


def value(depth=0):
    kind = rng.randrange(11 if depth < 4 else 8)
    if kind < 8:
        return [None, True, False, integer(rng), number(rng), text(rng), octets(rng), integer(rng, 65) * 2 ** 10][kind]
    if kind < 10:
        # Maps whose first key is text, and empty maps, become objects.
        return {text(rng): value(depth + 1) for _ in range(rng.choice([0, 1, 3, 25]))}
    return [value(depth + 1) for _ in range(rng.choice([0, 1, 3, 25]))]


write({'witness': f'Python cbor2 {importlib.metadata.version("cbor2")}', 'format': 'cbor', 'seed': given.seed, 'options': {}})
made = 0
while made < given.count:
    item = value()
    data = cbor2.dumps(item, canonical=made % 2 == 1)
    if len(data) > 400:
        continue
    made += 1
    write({'hex': data.hex(), 'value': tagged(item)})
