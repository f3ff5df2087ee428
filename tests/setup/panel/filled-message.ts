import { type DescMessage, ScalarType } from '@bufbuild/protobuf';

/** A message with a value in every field, up to some depth, as `create` of protobuf-es takes it. */
export function filled(message: DescMessage, depth = 0): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const field of message.fields) {
    const item = (kind: string, inner: DescMessage | undefined, scalar: number | undefined): unknown =>
      kind === 'message'
        ? depth < 3
          ? { $typeName: inner!.typeName, ...filled(inner!, depth + 1) }
          : undefined
        : kind === 'enum'
          ? 2
          : scalarValue(scalar!, field.number);
    let own: unknown;
    if (field.fieldKind === 'list') own = [1, 2].map(() => item(field.listKind, field.message, field.scalar)).filter((one) => one !== undefined);
    else if (field.fieldKind === 'map') {
      const one = item(field.mapKind, field.message, field.scalar);
      own = one === undefined ? {} : { [field.mapKey === ScalarType.STRING ? 'a' : '7']: one };
    } else own = item(field.fieldKind, field.message, field.scalar);
    if (own === undefined) continue;
    if (field.oneof) value[field.oneof.localName] = { case: field.localName, value: own };
    else value[field.localName] = own;
  }
  return value;
}

function scalarValue(type: number, number: number): unknown {
  if (type === 9) return `text ${number}`;
  if (type === 12) return Uint8Array.of(1, 2, 255);
  if (type === 8) return true;
  if ([3, 4, 6, 16, 18].includes(type)) return BigInt(number + 300);
  return type <= 2 ? number + 0.5 : number + 300;
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Value with all field names in the form of a `.proto`, for comparing names of either form. */
export function normal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.startsWith('$') ? key : snake(key), normal(item)]));
}
