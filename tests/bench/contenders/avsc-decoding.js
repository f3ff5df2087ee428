/**
 * A decoding by avsc, which makes a reader from a schema by generated code. Timestamps become Dates, as its documents show
 * it.
 *
 * @param {any} avsc
 * @param {(buffer: ArrayBuffer) => unknown} wrap what it takes for bytes
 * @param {string} dataset
 * @returns {Promise<import('./contender.js').Decoding>}
 */
export async function avscDecoding({ Type, types }, wrap, dataset) {
  const { AVRO } = await import('../schemas/avro.js');
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
  const type = Type.forSchema(AVRO[dataset], { logicalTypes: { 'timestamp-millis': DateType } });
  return { decode: (buffer) => type.fromBuffer(wrap(buffer)), close() {} };
}
