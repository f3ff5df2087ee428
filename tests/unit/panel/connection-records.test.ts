import { Packr } from 'msgpackr';
import { expect, test } from 'vitest';
import type { Message } from '../../../devtools-extension/adapter/adapter.ts';
import { connectionRecords } from '../../../devtools-extension/panel/messages/connection-records.ts';
import { exportValue } from '../../../devtools-extension/values/value.ts';
import { readSpans } from '../../../devtools-extension/reading/spans/read-spans.ts';
import { SpanTree } from '../../../core/sinks/spans/tree.ts';

test('records of a connection are read with the structures that earlier messages of their direction defined', async () => {
  const values = [
    { id: 1, name: 'Oak' },
    { id: 2, name: 'Elm' },
    { id: 3, at: { lat: 1.5, lng: 2 } },
    { id: 4, at: { lat: 2.5, lng: 3 } },
  ];
  const packr = new Packr({ sequential: true });
  const messages = values.map((value): Message => ({ direction: 'received', time: 0, bytes: Uint8Array.from(packr.pack(value)), isText: false }));
  expect(connectionRecords(messages, messages[0]!)).toBeUndefined();
  for (const [index, { bytes }] of messages.entries()) {
    const options = connectionRecords(messages, messages[index]!)?.options;
    const { data, error } = await readSpans(bytes, { format: 'messagepack', ...(options && { options }) });
    expect(error).toBeUndefined();
    expect(exportValue(new SpanTree(data, bytes), 1)).toEqual(values[index]);
  }
  const sent = { ...messages[1]!, direction: 'sent' as const };
  expect(connectionRecords([...messages, sent], sent)).toBeUndefined();
});
