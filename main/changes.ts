export { changesOf } from '../core/previous/changes.ts';
export type { ListChanges, ListItem } from '../core/previous/changes.ts';
export type { RowsList } from '../core/previous/rows-form.ts';
