import type { MqttClient } from 'mqtt';
import { createDecoder } from 'unspool';

const decoder = createDecoder();

/** A message with the topic that it was published under. */
export interface Published<T> {
  readonly topic: string;
  readonly value: T;
}

/**
 * The messages of a topic, such as `sensors/+/temperature`, decoded from MessagePack, in order, until the client is ended. It should have no
 * other subscriptions. MQTT.js connects again by itself, and then subscribes again.
 */
export async function* watchTopic<T>(client: MqttClient, filter: string): AsyncGenerator<Published<T>, void> {
  const payloads = new EventTarget();
  /** Topics of the payloads that are not decoded yet. */
  const topics: string[] = [];
  const take = (topic: string, data: Uint8Array): void => {
    topics.push(topic);
    payloads.dispatchEvent(new MessageEvent('message', { data }));
  };
  const end = (): void => void payloads.dispatchEvent(new Event('close'));
  client.on('message', take);
  client.on('end', end);
  try {
    const values = decoder.messages<T>(payloads, { format: 'messagepack' });
    await client.subscribeAsync(filter, { qos: 1 });
    for await (const value of values) yield { topic: topics.shift()!, value };
  } finally {
    client.off('message', take);
    client.off('end', end);
    if (client.connected) await client.unsubscribeAsync(filter);
  }
}
