/**
 * Creates a decoding with avsc, which generates a reader from a schema. Timestamps become Dates, as in its documentation.
 *
 * @param {any} avsc
 * @param {(buffer: ArrayBuffer) => unknown} wrap converts a buffer to the library's type of bytes
 * @param {import('../contender.js').Payload} payload
 * @returns {Promise<import('../contender.js').Decoding>}
 */
export async function avscDecoding({ Type, types }, wrap, { dataset, schema }) {
  const of = schema ?? (await import('../../schemas.js')).SCHEMAS.avro[String(dataset)];
  class DateType extends types.LogicalType {
    /** @param {number} value */
    _fromValue(value) {
      return new Date(value);
    }

    /** @param {Date} value */
    _toValue(value) {
      return value.getTime();
    }
  }
  // Unwrapped unions, as inferred from JSON.
  const type = Type.forSchema(of, { logicalTypes: { 'timestamp-millis': DateType }, ...(schema && { wrapUnions: false }) });
  return { decode: (buffer) => type.fromBuffer(wrap(buffer)), close() {} };
}
