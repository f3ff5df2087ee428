/** Caches the plan made of a schema and options, once per schema and combination of the options that matter. */
export class Plans<Schema extends object, Options extends object, Plan> {
  readonly #names: readonly (keyof Options)[];
  readonly #make: (schema: Schema, options: Options) => Plan;
  readonly #known = new WeakMap<Schema, { options: Options | undefined; values: unknown[]; plan: Plan }[]>();

  /** `names` are the options that matter. */
  constructor(names: readonly (keyof Options)[], make: (schema: Schema, options: Options) => Plan) {
    this.#names = names;
    this.#make = make;
  }

  get(schema: Schema, options: Options): Plan {
    const names = this.#names;
    let known = this.#known.get(schema);
    if (!known) this.#known.set(schema, (known = []));
    for (const { options: frozen, values, plan } of known) {
      if (frozen === options) return plan;
      let same = 0;
      while (same < names.length && values[same] === options[names[same]!]) same += 1;
      if (same === names.length) return plan;
    }
    const plan = this.#make(schema, options);
    // Frozen options are compared by identity.
    known.push({ options: Object.isFrozen(options) ? options : undefined, values: names.map((name) => options[name]), plan });
    return plan;
  }
}
