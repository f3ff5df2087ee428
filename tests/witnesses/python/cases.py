"""Shared code of the generators of cases: arguments, values as JSON, and lines of output."""

import argparse
import datetime
import json
import math
import random
import sys


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=100)
    parser.add_argument('--corpora', help='the folder of the corpora', default='')
    parser.add_argument('--keep', action='store_true', help='leave out what the repository does not keep')
    given = parser.parse_args()
    return given, random.Random(given.seed)


def tagged(value):
    """A value as JSON; other values are objects with one key that begins with a dollar sign."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) <= 2 ** 53 else {'$bigint': str(value)}
    if isinstance(value, float):
        if math.isnan(value) or math.isinf(value):
            return {'$number': 'NaN' if math.isnan(value) else 'Infinity' if value > 0 else '-Infinity'}
        return {'$number': '-0'} if value == 0 and math.copysign(1, value) < 0 else value
    if isinstance(value, (bytes, bytearray)):
        return {'$bytes': bytes(value).hex()}
    if isinstance(value, datetime.datetime):
        return {'$date': round((value - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) / datetime.timedelta(milliseconds=1))}
    if isinstance(value, (list, tuple)):
        return [tagged(item) for item in value]
    if isinstance(value, dict):
        return {key: tagged(item) for key, item in value.items()}
    raise TypeError(f'{type(value)} has no form in JSON')


def write(line):
    json.dump(line, sys.stdout, ensure_ascii=True, separators=(',', ':'))
    sys.stdout.write('\n')


TEXTS = ['', 'a', 'naïve', '日本', '😀', 'x' * 40, '\x00', '__proto__', '12', 'line\nline', '"\\', 'ſ', '\ufeff', 'é' * 70]
INTEGERS = [0, 1, 2, 23, 24, 127, 128, 255, 256, 16383, 16384, 65535, 65536, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 63 - 1]
FLOATS = [0.0, -0.0, 1.5, -1.0, 0.1, 1e300, 5e-324, float('inf'), float('-inf'), float('nan'), 3.4028234663852886e38, 1e-46]


def text(rng):
    if rng.random() < 0.5:
        return rng.choice(TEXTS)
    return ''.join(chr(rng.choice([rng.randrange(32, 127), rng.randrange(0xA0, 0x800), rng.randrange(0x1F300, 0x1F600)])) for _ in range(rng.randrange(12)))


def integer(rng, bits=64):
    value = rng.choice(INTEGERS) if rng.random() < 0.6 else rng.getrandbits(rng.randrange(1, bits))
    value = min(value, 2 ** (bits - 1) - 1)
    return -value - 1 if rng.random() < 0.3 else value


def number(rng):
    return rng.choice(FLOATS) if rng.random() < 0.5 else rng.uniform(-1e6, 1e6)


def octets(rng):
    return bytes(rng.getrandbits(8) for _ in range(rng.choice([0, 1, 5, 40])))
