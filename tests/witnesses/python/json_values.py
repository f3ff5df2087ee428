"""Random values as Python's json writes them, with and without escapes of non-ASCII characters."""

import json
import math
import platform

from cases import arguments, integer, number, tagged, text, write

given, rng = arguments(__doc__)


def value(depth=0):
    kind = rng.randrange(9 if depth < 4 else 6)
    if kind < 4:
        return [None, True, False, text(rng)][kind]
    if kind == 4:
        return integer(rng, 53)
    if kind == 5:
        found = number(rng)
        # JavaScript writes −0 as 0.
        return found if math.isfinite(found) and found != 0 else 0.5
    if kind < 8:
        return {text(rng): value(depth + 1) for _ in range(rng.choice([0, 1, 3, 17]))}
    return [value(depth + 1) for _ in range(rng.choice([0, 1, 3, 17]))]


write({'witness': f'json of Python {platform.python_version()}', 'format': 'json', 'seed': given.seed, 'options': {}})
made = 0
while made < given.count:
    item = value()
    data = json.dumps(item, ensure_ascii=made % 2 == 1, indent=rng.choice([None, None, 1])).encode()
    if len(data) > 400:
        continue
    made += 1
    write({'hex': data.hex(), 'value': tagged(item)})
