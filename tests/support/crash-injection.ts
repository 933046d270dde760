/** The power of a simulated machine: after a failure nothing is done until it is restored. */
export class CrashInjector {
  #stepsLeft = Infinity;
  #completesStep = false;
  hasFailed = false;

  /** Fails at a later step, before it is done or between it and its answer. */
  failAt(step: number, acts: boolean): void {
    this.#stepsLeft = step;
    this.#completesStep = acts;
  }

  restore(): void {
    this.#stepsLeft = Infinity;
    this.hasFailed = false;
  }

  async run<Answer>(step: () => Promise<Answer>): Promise<Answer> {
    if (this.hasFailed) throw new Error('the power is gone');
    this.#stepsLeft -= 1;
    if (this.#stepsLeft >= 0) return step();
    this.hasFailed = true;
    if (this.#completesStep) await step();
    throw new Error('the power failed');
  }
}

/** A database whose calls can fail before or after they are done. */
export function wrapDatabase(power: CrashInjector, database: D1Database): D1Database {
  const own = new WeakMap<object, D1PreparedStatement>();
  const queryMethods = new Set<unknown>(['run', 'all', 'raw', 'first']);
  const statement = (real: D1PreparedStatement): D1PreparedStatement => {
    const proxy = new Proxy(real, {
      get: (_, name) => {
        if (name === 'bind') return (...values: unknown[]) => statement(real.bind(...values));
        const value: unknown = Reflect.get(real, name, real);
        if (typeof value !== 'function') return value;
        const call = (...given: unknown[]): unknown => value.apply(real, given);
        return queryMethods.has(name) ? (...given: unknown[]) => power.run(async () => call(...given)) : call;
      },
    });
    own.set(proxy, real);
    return proxy;
  };
  return new Proxy(database, {
    get: (_, name) => {
      if (name === 'prepare') return (query: string) => statement(database.prepare(query));
      if (name === 'batch')
        return (all: D1PreparedStatement[]) =>
          power.run(() => database.batch(all.map((one) => own.get(one) ?? one)));
      const value: unknown = Reflect.get(database, name, database);
      return typeof value === 'function' ? value.bind(database) : value;
    },
  });
}
