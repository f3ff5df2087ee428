type Step = string | number;
type Json = Record<string, unknown>;

/**
 * The result of a GraphQL operation with `@defer` or `@stream`, to which later payloads are applied: with paths, or with the ids of
 * `pending` (https://github.com/graphql/graphql-over-http/blob/main/rfcs/IncrementalDelivery.md).
 */
export class PatchedResult {
  value: unknown;
  isComplete = false;
  readonly #root: { data?: unknown } = {};
  readonly #errors: unknown[] = [];
  /** Paths of parts that come later. */
  readonly #pending = new Map<unknown, readonly Step[]>();

  /** Takes a payload, or one with the id of its operation around it. */
  take(event: Json): void {
    const payload = isObject(event['payload']) ? event['payload'] : event;
    for (const { id, path } of objectsIn(payload['pending'])) this.#pending.set(id, pathOf(path));
    if (payload['path'] !== undefined) this.#apply(payload);
    else if (payload['data'] !== undefined) this.#root.data = payload['data'];
    for (const patch of objectsIn(payload['incremental'])) this.#apply(patch);
    for (const errors of [payload, ...objectsIn(payload['incremental']), ...objectsIn(payload['completed'])])
      this.#errors.push(...objectsIn(errors['errors']));
    if (payload['hasNext'] === false) this.isComplete = true;
    this.value = { ...this.#root, ...(this.#errors.length > 0 && { errors: this.#errors }) };
  }

  /** Puts the fields or items of a part in their place. A part whose place is unknown is left out. */
  #apply({ id, path, subPath, data, items }: Json): void {
    const steps = path === undefined ? [...(this.#pending.get(id) ?? []), ...pathOf(subPath)] : [...pathOf(path)];
    if (Array.isArray(items)) {
      // With a path, its last step is the index of the first item.
      const at = path !== undefined && typeof steps.at(-1) === 'number' ? Number(steps.pop()) : undefined;
      const list = this.#at(steps);
      if (Array.isArray(list)) list.splice(at ?? list.length, 0, ...(items as unknown[]));
      return;
    }
    const target = this.#at(steps);
    if (isObject(target) && isObject(data)) merge(target, data);
    else if (typeof steps.at(-1) === 'number' && data !== undefined) {
      const list = this.#at(steps.slice(0, -1));
      if (Array.isArray(list) && target === undefined) list.push(data);
    }
  }

  #at(steps: readonly Step[]): unknown {
    let value: unknown = this.#root.data;
    for (const step of steps)
      value = isObject(value) || Array.isArray(value) ? (Object.hasOwn(value, step) ? (value as Json)[step] : undefined) : undefined;
    return value;
  }
}

/** Adds the fields of an object, and of the objects that it contains, to another. */
function merge(target: Json, from: Json): void {
  for (const [key, value] of Object.entries(from)) {
    const own = Object.hasOwn(target, key) ? target[key] : undefined;
    if (isObject(own) && isObject(value)) merge(own, value);
    else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectsIn(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function pathOf(value: unknown): readonly Step[] {
  return Array.isArray(value) ? value.filter((step): step is Step => typeof step === 'string' || typeof step === 'number') : [];
}
