type ReadNumberLists = typeof import('./number-lists.ts').readNumberLists;

let read: ReadNumberLists | undefined;
let loading: Promise<void> | undefined;

/** Loads what reads lists of numbers. Without it, where it cannot be loaded, the engine reads them. */
export function loadNumberLists(): Promise<void> {
  loading ??= import('./number-lists.ts').then(
    (module) => {
      read = module.readNumberLists;
    },
    () => {},
  );
  return loading;
}

/** What reads lists of numbers; undefined as long as it loads, which begins with the first call. */
export function numberLists(): ReadNumberLists | undefined {
  if (read === undefined) void loadNumberLists();
  return read;
}
