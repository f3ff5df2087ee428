import type { CapnProtoSchema } from '../../../../../core/formats/capnproto/schema/schema.ts';

/** A message whose struct has no content, so that all its fields have their defaults. */
export const EMPTY_STRUCT = Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0, 0xfc, 0xff, 0xff, 0xff, 0, 0, 0, 0);

/** A schema without the places of the defaults of pointers, which depend on the program that wrote them. */
export function withoutDefaults({ request, structs, ...rest }: CapnProtoSchema): unknown {
  return {
    ...rest,
    hasDefaults: request.length > 0,
    structs: structs.map(({ fields, ...struct }) => ({
      ...struct,
      fields: fields.map(({ at, segment, ...field }) => ({ ...field, hasDefault: at >= 0 && segment >= 0 })),
    })),
  };
}
