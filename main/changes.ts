export { changesOf } from '../core/previous/changes.ts';
export type { ListChanges, ListItem, RowsList } from '../core/previous/changes.ts';
