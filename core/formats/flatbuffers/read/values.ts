import { sendInt64 } from '../../../reading/int64.ts';
import { Buffer } from './buffer.ts';
import { DEFAULT, NAMED } from './plan.ts';
import { BOOL, BYTE, DOUBLE, FLOAT, INT, LONG, SHORT, UBYTE, UINT, ULONG, USHORT, UTYPE } from '../schema/schema.ts';

/** Sends scalars, enums, and defaults of missing fields. */
export class Values extends Buffer {
  /** Sends the scalar at `at` of a type. */
  protected scalar(type: number, at: number): void {
    const { sink, view } = this;
    switch (type) {
      case UTYPE:
      case UBYTE:
        sink.integer(this.bytes[at]!, at, at + 1);
        break;
      case BOOL:
        sink.boolean(this.bytes[at] !== 0, at, at + 1);
        break;
      case BYTE:
        sink.integer(view.getInt8(at), at, at + 1);
        break;
      case SHORT:
        sink.integer(view.getInt16(at, true), at, at + 2);
        break;
      case USHORT:
        sink.integer(view.getUint16(at, true), at, at + 2);
        break;
      case INT:
        sink.integer(view.getInt32(at, true), at, at + 4);
        break;
      case UINT:
        sink.integer(view.getUint32(at, true), at, at + 4);
        break;
      case FLOAT:
        sink.float(view.getFloat32(at, true), at, at + 4);
        break;
      case DOUBLE:
        sink.float(view.getFloat64(at, true), at, at + 8);
        break;
      case LONG:
        sendInt64(sink, this.plan.int64, view.getUint32(at, true), view.getInt32(at + 4, true), at, at + 8);
        break;
      case ULONG:
        sendInt64(sink, this.plan.int64, view.getUint32(at, true), view.getUint32(at + 4, true), at, at + 8);
        break;
    }
  }

  /** Sends an enum as its name, or as a number if it has no name. */
  protected named(type: number, ref: number, at: number): void {
    const value = this.#raw(type, at);
    if (!this.#name(ref, value, at)) this.scalar(type, at);
  }

  #raw(type: number, at: number): number | bigint {
    const { view } = this;
    switch (type) {
      case BYTE:
        return view.getInt8(at);
      case SHORT:
        return view.getInt16(at, true);
      case USHORT:
        return view.getUint16(at, true);
      case INT:
        return view.getInt32(at, true);
      case UINT:
        return view.getUint32(at, true);
      case LONG:
        return view.getBigInt64(at, true);
      case ULONG:
        return view.getBigUint64(at, true);
      default:
        return this.bytes[at]!;
    }
  }

  /** Sends the name of an enum's number. Returns false if it has none. */
  #name(ref: number, value: number | bigint, at: number): boolean {
    const { plan, sink } = this;
    const constant = plan.nameOf(ref, value);
    if (constant === -2) {
      sink.text(plan.flagsOf(ref, value)!, at, at);
    } else if (constant >= 0) {
      if (plan.constants.send(sink, constant)) this.announce();
    }
    return constant !== -1;
  }

  /** Sends the schema's default of a missing field. */
  protected absent(field: number, index: number, at: number): void {
    const { plan, sink } = this;
    sink.field(index, at, at);
    if (plan.fallback[field] !== DEFAULT) {
      sink.null(at, at);
      return;
    }
    const value = plan.defaults[field]!;
    const type = plan.base[field]!;
    if (plan.op[field] === NAMED && this.#name(plan.ref[field]!, value, at)) return;
    if (typeof value === 'bigint') {
      sendInt64(sink, plan.int64, Number(BigInt.asUintN(32, value)), Number(value >> 32n), at, at);
    } else if (type === BOOL) {
      sink.boolean(value !== 0, at, at);
    } else if (type === FLOAT || type === DOUBLE) {
      sink.float(value, at, at);
    } else {
      sink.integer(value, at, at);
    }
  }
}
