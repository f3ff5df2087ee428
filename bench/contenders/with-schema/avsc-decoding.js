/**
 * A decoding by avsc, which makes a reader from a schema by generated code. Timestamps become Dates, as its documents show
 * it.
 *
 * @param {any} avsc
 * @param {(buffer: ArrayBuffer) => unknown} wrap what it takes for bytes
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
  // Unions of several kinds of values, as JSON has them, without a wrapper.
  const type = Type.forSchema(of, { logicalTypes: { 'timestamp-millis': DateType }, ...(schema && { wrapUnions: false }) });
  return { decode: (buffer) => type.fromBuffer(wrap(buffer)), close() {} };
}
