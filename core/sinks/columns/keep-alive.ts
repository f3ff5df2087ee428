import { resolveLimits } from '../../limits.ts';
import { RowSink } from './rows.ts';

/** A sink for `KeepAlive`, with one instance of each class that it uses for records. */
export function keepAliveSink(): RowSink {
  const sink = new RowSink(() => {}, resolveLimits());
  const record = sink.defineRecord(['text', 'number']);
  sink.beginArray(-1, 0);
  for (let row = 0; row < 2; row++) {
    sink.beginRecord(record, 0);
    sink.field(0);
    sink.text('text');
    sink.field(1);
    sink.float(0.5);
    sink.endRecord(0);
  }
  sink.leave();
  return sink;
}
