/**
 * The values of Apache Arrow's integration files in JSON (https://arrow.apache.org/docs/format/Integration.html#json-test-data-format),
 * in the form that the reader gives them with the options `int64: 'string'`, `timestamps: 'number'` and `maps: 'map'`.
 */

interface JsonField {
  name: string;
  type: { name: string; bitWidth?: number; unit?: string; precision?: string; scale?: number; listSize?: number; typeIds?: number[]; mode?: string };
  children?: JsonField[];
  dictionary?: { id: number; indexType: object } | undefined;
}

interface JsonColumn {
  count: number;
  VALIDITY?: number[];
  DATA?: unknown[];
  OFFSET?: (number | string)[];
  SIZE?: (number | string)[];
  TYPE_ID?: number[];
  VIEWS?: { SIZE: number; INLINED?: string; BUFFER_INDEX?: number; OFFSET?: number }[];
  VARIADIC_DATA_BUFFERS?: string[];
  children?: JsonColumn[];
}

/** An integration file. */
export interface ArrowJson {
  schema: { fields: JsonField[] };
  batches: { count: number; columns: JsonColumn[] }[];
  dictionaries?: { id: number; data: { columns: JsonColumn[] } }[];
}

/** The rows of a file. Of fields with the same name, the last one counts. */
export function rowsOf({ schema, batches, dictionaries = [] }: ArrowJson): object[] {
  const known = new Map(dictionaries.map(({ id, data }) => [id, data.columns[0]!]));

  function valueOf(field: JsonField, column: JsonColumn, row: number): unknown {
    if (field.dictionary) {
      if (column.VALIDITY?.[row] === 0) return null;
      return valueOf({ ...field, dictionary: undefined }, known.get(field.dictionary.id)!, Number(column.DATA![row]));
    }
    const { type, children = [] } = field;
    const items = (from: number, to: number): unknown[] =>
      Array.from({ length: to - from }, (_, at) => valueOf(children[0]!, column.children![0]!, from + at));
    const from = Number(column.OFFSET?.[row] ?? 0);
    if (type.name === 'union') {
      const member = type.typeIds!.indexOf(column.TYPE_ID![row]!);
      return valueOf(children[member]!, column.children![member]!, type.mode === 'DENSE' ? from : row);
    }
    if (type.name === 'runendencoded') {
      const run = column.children![0]!.DATA!.findIndex((end) => Number(end) > row);
      return valueOf(children[1]!, column.children![1]!, run);
    }
    if (type.name === 'null' || column.VALIDITY?.[row] === 0) return null;
    const data = column.DATA?.[row];
    switch (type.name) {
      case 'bool':
        return Boolean(data);
      case 'floatingpoint':
        return type.precision === 'SINGLE' ? Math.fround(data as number) : data;
      case 'interval': {
        if (type.unit !== 'MONTH_DAY_NANO') return data;
        const parts = data as { months: number; days: number; nanoseconds: number };
        return { ...parts, nanoseconds: expectNumber(parts.nanoseconds) };
      }
      case 'decimal':
        return decimal(data as string, type.scale!);
      case 'binary':
      case 'largebinary':
      case 'fixedsizebinary':
        return fromHex(data as string);
      case 'binaryview':
      case 'utf8view': {
        const { SIZE, INLINED, BUFFER_INDEX, OFFSET } = column.VIEWS![row]!;
        if (INLINED !== undefined) return type.name === 'utf8view' ? INLINED : fromHex(INLINED);
        const bytes = fromHex(column.VARIADIC_DATA_BUFFERS![BUFFER_INDEX!]!).slice(OFFSET, OFFSET! + SIZE);
        return type.name === 'utf8view' ? new TextDecoder().decode(bytes) : bytes;
      }
      case 'list':
      case 'largelist':
        return items(from, Number(column.OFFSET![row + 1]));
      case 'listview':
      case 'largelistview':
        return items(from, from + Number(column.SIZE![row]));
      case 'fixedsizelist':
        return items(row * type.listSize!, (row + 1) * type.listSize!);
      case 'map': {
        const entries = items(from, Number(column.OFFSET![row + 1])) as object[];
        return new Map(entries.map((entry) => Object.values(entry) as [unknown, unknown]));
      }
      case 'struct':
        return Object.fromEntries(children.map((child, at) => [child.name, valueOf(child, column.children![at]!, row)]));
      default:
        return data;
    }
  }

  return batches.flatMap(({ count, columns }) =>
    Array.from({ length: count }, (_, row) => Object.fromEntries(schema.fields.map((field, at) => [field.name, valueOf(field, columns[at]!, row)]))),
  );
}

/** Marks a 64-bit integer that the JSON has as a number, and which `JSON.parse` has rounded. */
function expectNumber(value: number): { rounded: number } {
  return { rounded: value };
}

function decimal(unscaled: string, scale: number): string {
  const isNegative = unscaled.startsWith('-');
  const digits = unscaled.replace('-', '').padStart(scale + 1, '0');
  const text = scale > 0 ? `${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale)}` : digits;
  return isNegative ? `-${text}` : text;
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
