/** What was made of schemas and options: once for each schema and all the options that matter. */
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
    // Options that do not change are told by identity.
    known.push({ options: Object.isFrozen(options) ? options : undefined, values: names.map((name) => options[name]), plan });
    return plan;
  }
}
