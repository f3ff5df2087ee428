import * as arrow from 'apache-arrow';

/** A table of Apache Arrow's own library with columns of many types, nulls, dictionaries that grow, and several batches. */
export function sampleTable(rows = 20): arrow.Table {
  const numbers = Array.from({ length: rows }, (_, row) => row);
  const sometimes = <Value>(make: (row: number) => Value): (Value | null)[] => numbers.map((row) => (row % 5 === 3 ? null : make(row)));
  const { vectorFromArray: vector } = arrow;
  const text = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32());
  return new arrow.Table({
    int8: vector(
      sometimes((row) => row - 10),
      new arrow.Int8(),
    ),
    uint16: vector(
      numbers.map((row) => row * 3000),
      new arrow.Uint16(),
    ),
    int32: vector(
      numbers.map((row) => row * 100_000_000 - 2 ** 30),
      new arrow.Int32(),
    ),
    uint32: vector(
      numbers.map((row) => 2 ** 32 - 1 - row),
      new arrow.Uint32(),
    ),
    int64: vector(
      sometimes((row) => BigInt(row) ** 3n - 500n),
      new arrow.Int64(),
    ),
    large: vector(
      numbers.map((row) => 2n ** 62n + BigInt(row)),
      new arrow.Uint64(),
    ),
    half: vector(
      numbers.map((row) => row / 4),
      new arrow.Float16(),
    ),
    float: vector(
      numbers.map((row) => row / 8),
      new arrow.Float32(),
    ),
    double: vector(
      sometimes((row) => row / 3),
      new arrow.Float64(),
    ),
    flag: vector(
      sometimes((row) => row % 3 === 0),
      new arrow.Bool(),
    ),
    text: vector(
      sometimes((row) => `größe ${row}`),
      new arrow.Utf8(),
    ),
    ascii: vector(
      numbers.map((row) => `row ${row}`),
      new arrow.Utf8(),
    ),
    kind: vector(
      sometimes((row) => ['a', 'b', 'ü'][row % 3]),
      text,
    ),
    bytes: vector(
      sometimes((row) => Uint8Array.of(row, 255)),
      new arrow.Binary(),
    ),
    day: vector(
      numbers.map((row) => new Date(row * 86_400_000)),
      new arrow.DateDay(),
    ),
    time: vector(
      sometimes((row) => row * 1_234_567),
      new arrow.TimestampMillisecond(),
    ),
    list: vector(
      sometimes((row) => numbers.slice(0, row % 4)),
      new arrow.List(new arrow.Field('item', new arrow.Int32(), true)),
    ),
    struct: vector(
      sometimes((row) => ({ a: row, b: `b${row}` })),
      new arrow.Struct([new arrow.Field('a', new arrow.Int32(), true), new arrow.Field('b', new arrow.Utf8(), true)]),
    ),
    nothing: vector(
      numbers.map(() => null),
      new arrow.Null(),
    ),
  } as never);
}

/** The table as a stream or a file, in batches. */
export function sampleBytes(framing: 'stream' | 'file' = 'stream', rows = 20): Uint8Array<ArrayBuffer> {
  const table = sampleTable(rows);
  return Uint8Array.from(arrow.tableToIPC(table, framing));
}
