type ReadNumberLists = typeof import('./number-lists.ts').readNumberLists;

let read: ReadNumberLists | undefined;
let loading: Promise<void> | undefined;

/** Loads the reader of number lists. If it cannot be loaded, the engine parses them. */
export function loadNumberLists(): Promise<void> {
  loading ??= import('./number-lists.ts').then(
    (module) => {
      read = module.readNumberLists;
    },
    () => {},
  );
  return loading;
}

/** Reader of number lists; undefined while it loads. The first call starts the load. */
export function numberLists(): ReadNumberLists | undefined {
  if (read === undefined) void loadNumberLists();
  return read;
}
