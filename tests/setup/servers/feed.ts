/** Path of the feed. */
export const FEED = '/feed-socket';

/** A message of the feed. */
export interface FeedItem {
  readonly id: number;
  readonly text: string;
}

/** The items from one id to another. */
export const feedItems = (from: number, to: number): FeedItem[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ id: from + at, text: 'é'.repeat((from + at) % 9) }));
