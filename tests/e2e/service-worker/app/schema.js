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
