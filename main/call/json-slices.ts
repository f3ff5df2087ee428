type Code = typeof import('../../core/slicing/json/json-slices.ts');

let loading: Promise<Code> | undefined;
let isLoaded = false;

/** True if JSON can be decoded in slices without waiting for code. */
export function canSliceJson(): boolean {
  return isLoaded;
}

/**
 * Loads the code that decodes JSON in slices, which pages with short payloads alone never need. Concurrent callers share one load;
 * after a failure, the next call tries again.
 */
export function loadJsonSlices(): Promise<Code> {
  if (!loading) {
    loading = import('../../core/slicing/json/json-slices.ts');
    loading.then(
      () => (isLoaded = true),
      () => (loading = undefined),
    );
  }
  return loading;
}
