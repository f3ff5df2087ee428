import type { KeySetting, LoopSetting } from '../../worker/socket/protocol.ts';
import type { MessageCounts } from '../../core/messages/inbox.ts';

/** The messages of a loop: those of an `Inbox`, or of a worker. */
export interface MessageInbox {
  /** Number of messages that can be taken now. */
  readonly size: number;
  /** Resolves once a message can be taken, to true; or at the end, to false. Rejects at an end with an error. */
  some(): Promise<boolean>;
  /** The next message; bytes may be those of a text. Undefined if none can be taken now. */
  take(): [data: unknown, isText?: boolean] | undefined;
  /** Ends with an error. */
  close(error: unknown): void;
}

/** A loop that takes messages out of a worker. */
export interface RemoteLoop extends Omit<LoopSetting, 'key'> {
  readonly key: PreparedKey | undefined;
  readonly batch: boolean;
  readonly counts: MessageCounts;
}

/** How keys are read, before the URL of the format's code is known. */
export type PreparedKey = Omit<KeySetting, 'url'>;

/** A source whose messages are in a worker. */
export interface RemoteSource {
  takeMessages(loop: RemoteLoop): MessageInbox;
}
