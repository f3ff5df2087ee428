/** The code of results with `Rows` or columns. */
type Lists = typeof import('./lists.ts');

let lists: Promise<Lists> | undefined;

/** Loads the code of results with `Rows` or columns, which pages that decode objects do not need. */
export function loadLists(): Promise<Lists> {
  if (lists) return lists;
  const loading = import('./lists.ts');
  // The caller may fail before it needs the code.
  loading.catch(() => {});
  return loading;
}

/** Sets the code, for an entry that requests no further files. */
export function useLists(code: Lists): void {
  lists = Promise.resolve(code);
}
