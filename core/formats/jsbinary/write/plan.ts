import { internalized } from '../../../engine/internalized.ts';
import { ARRAY, type JsBinarySchema, OBJECT } from '../schema.ts';

/** A type in the form used by the writer. */
export interface TypePlan {
  readonly kind: number;
  /** The type of an array's items. */
  item: TypePlan | undefined;
  readonly fields: FieldPlan[];
}

/** A field of an object. */
export interface FieldPlan {
  readonly key: string;
  readonly type: TypePlan;
  readonly isOptional: boolean;
}

const plans = new WeakMap<JsBinarySchema, TypePlan>();

/** The plan of a type's tables, made once. */
export function planOf(schema: JsBinarySchema): TypePlan {
  let plan = plans.get(schema);
  if (plan === undefined) plans.set(schema, (plan = makePlan(schema)));
  return plan;
}

function makePlan(schema: JsBinarySchema): TypePlan {
  const types = schema.kinds.map((kind): TypePlan => ({ kind, item: undefined, fields: [] }));
  for (const [number, type] of types.entries()) {
    const first = schema.first[number]!;
    if (type.kind === ARRAY) type.item = types[first]!;
    if (type.kind !== OBJECT) continue;
    for (const [index, key] of schema.keys[number]!.entries()) {
      type.fields.push({ key: internalized(key), type: types[schema.fieldTypes[first + index]!]!, isOptional: schema.optional[first + index] === 1 });
    }
  }
  return types[0]!;
}
