export { events } from './events.ts';
export { messages } from './messages.ts';
export { partial } from './partial.ts';
