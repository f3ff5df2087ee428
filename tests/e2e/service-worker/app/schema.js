/** Schema of the Avro payload. */
export const avroSchema = {
  type: 'record',
  name: 'Payload',
  fields: [
    {
      name: 'trips',
      type: {
        type: 'array',
        items: {
          type: 'record',
          name: 'Trip',
          fields: [
            { name: 'id', type: 'int' },
            { name: 'name', type: 'string' },
            { name: 'at', type: { type: 'array', items: 'double' } },
          ],
        },
      },
    },
  ],
};

/** Schema of the same payload as Protocol Buffers. */
export const protobufSchema = {
  proto: `
    syntax = "proto3";
    message Payload { repeated Trip trips = 1; }
    message Trip { int32 id = 1; string name = 2; repeated double at = 3; }
  `,
  message: 'Payload',
};
