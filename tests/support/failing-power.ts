/** The power of a machine: when it fails, nothing more is done until it is back. */
export class Power {
  #left = Infinity;
  #acts = false;
  failed = false;

  /** Fails at a step, counted from now: before it is done, or after it and before its answer comes. */
  failAt(step: number, acts: boolean): void {
    this.#left = step;
    this.#acts = acts;
  }

  restore(): void {
    this.#left = Infinity;
    this.failed = false;
  }

  async through<Answer>(step: () => Promise<Answer>): Promise<Answer> {
    if (this.failed) throw new Error('the power is gone');
    this.#left -= 1;
    if (this.#left >= 0) return step();
    this.failed = true;
    if (this.#acts) await step();
    throw new Error('the power failed');
  }
}

/** The database as a machine reaches it whose power may fail before or after whatever it asks for. */
export function databaseOn(power: Power, database: D1Database): D1Database {
  const own = new WeakMap<object, D1PreparedStatement>();
  const isAsked = new Set<unknown>(['run', 'all', 'raw', 'first']);
  const statement = (real: D1PreparedStatement): D1PreparedStatement => {
    const shown = new Proxy(real, {
      get: (_, name) => {
        if (name === 'bind') return (...values: unknown[]) => statement(real.bind(...values));
        const value: unknown = Reflect.get(real, name, real);
        if (typeof value !== 'function') return value;
        const call = (...given: unknown[]): unknown => value.apply(real, given);
        return isAsked.has(name) ? (...given: unknown[]) => power.through(async () => call(...given)) : call;
      },
    });
    own.set(shown, real);
    return shown;
  };
  return new Proxy(database, {
    get: (_, name) => {
      if (name === 'prepare') return (query: string) => statement(database.prepare(query));
      if (name === 'batch')
        return (all: D1PreparedStatement[]) =>
          power.through(() => database.batch(all.map((one) => own.get(one) ?? one)));
      const value: unknown = Reflect.get(database, name, database);
      return typeof value === 'function' ? value.bind(database) : value;
    },
  });
}
