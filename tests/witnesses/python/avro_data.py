"""Random schemas, pairs of writer's and reader's schemas, and data as fastavro writes and resolves them."""

import io

import fastavro
from cases import arguments, integer, number, octets, tagged, text, write

given, rng = arguments(__doc__)


def schema(names, depth=0):
    """A schema and the generator of its values."""
    kind = rng.randrange(14 if depth < 3 else 9)
    if kind == 0:
        return 'null', lambda: None
    if kind == 1:
        return 'boolean', lambda: rng.random() < 0.5
    if kind in (2, 3):
        return 'int', lambda: integer(rng, 32)
    if kind in (4, 5):
        return 'long', lambda: integer(rng)
    if kind == 6:
        return 'double', lambda: number(rng)
    if kind == 7:
        return 'string', lambda: text(rng)
    if kind == 8:
        return 'bytes', lambda: octets(rng)
    if kind == 9:
        size = rng.randrange(5)
        return {'type': 'fixed', 'name': new(names), 'size': size}, lambda: bytes(rng.getrandbits(8) for _ in range(size))
    if kind == 10:
        symbols = ['A', 'B', 'C_1'][:rng.randrange(1, 4)]
        return {'type': 'enum', 'name': new(names), 'symbols': symbols}, lambda: rng.choice(symbols)
    inner, make = schema(names, depth + 1)
    if kind == 11:
        return {'type': 'array', 'items': inner}, lambda: [make() for _ in range(rng.choice([0, 1, 3]))]
    if kind == 12:
        return {'type': 'map', 'values': inner}, lambda: {text(rng): make() for _ in range(rng.choice([0, 1, 3]))}
    return record(names, depth)


def record(names, depth):
    name = new(names)
    fields, makers = [], []
    for index in range(rng.randrange(5)):
        inner, make = schema(names, depth + 1)
        if rng.random() < 0.3 and inner != 'null' and not isinstance(inner, list):
            inner, make = ['null', inner], optional(make)
        fields.append({'name': f'f{index}', 'type': inner})
        makers.append(make)
    return {'type': 'record', 'name': name, 'fields': fields}, lambda: {field['name']: make() for field, make in zip(fields, makers)}


def optional(make):
    return lambda: None if rng.random() < 0.4 else make()


def new(names):
    names.append(f'N{len(names)}')
    return names[-1]


PROMOTED = {'int': ['long', 'float', 'double'], 'long': ['float', 'double'], 'string': ['bytes'], 'bytes': ['string']}


def reader_of(writer):
    """A compatible reader's record: fields omitted, added with defaults, reordered, promoted."""
    fields = []
    for field in writer['fields']:
        if rng.random() < 0.25:
            continue
        kind = field['type']
        if isinstance(kind, str) and kind in PROMOTED and kind != 'bytes' and rng.random() < 0.4:
            kind = rng.choice([promoted for promoted in PROMOTED[kind] if promoted != 'float'])
        fields.append({**field, 'type': kind})
    if rng.random() < 0.5:
        fields.append({'name': 'added', 'type': ['long', 'null'], 'default': 7})
        fields.append({'name': 'list', 'type': {'type': 'array', 'items': 'string'}, 'default': ['a', 'b']})
    rng.shuffle(fields)
    return {**writer, 'fields': fields}


schemas, lines = {}, []
while len(lines) < given.count:
    writer, make = record([], 0)
    key = f's{len(schemas)}'
    pair = {'writer': writer}
    # Reordering fails if the fields refer to a type twice.
    if rng.random() < 0.5 and all(isinstance(field['type'], str) for field in writer['fields']):
        pair['reader'] = reader_of(writer)
    schemas[key] = pair
    for _ in range(10):
        item = make()
        data = io.BytesIO()
        fastavro.schemaless_writer(data, fastavro.parse_schema(writer), item)
        if len(data.getvalue()) > 300 or len(data.getvalue()) == 0:
            continue
        data.seek(0)
        read = fastavro.schemaless_reader(data, writer, pair.get('reader'))
        lines.append({'schema': key, 'hex': data.getvalue().hex(), 'value': tagged(read)})

write({'witness': f'fastavro {fastavro.__version__}', 'format': 'avro', 'seed': given.seed, 'options': {'framing': 'datum'}, 'schemas': schemas})
for line in lines[:given.count]:
    write(line)
