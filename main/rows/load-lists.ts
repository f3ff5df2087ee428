/** Loads the code of results with `Rows` or columns, which pages that decode objects do not need. */
export function loadLists(): Promise<typeof import('./lists.ts')> {
  const lists = import('./lists.ts');
  // The caller may fail before it needs the code.
  lists.catch(() => {});
  return lists;
}
