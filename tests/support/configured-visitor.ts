import { env } from 'cloudflare:workers';
import { api } from '../../src/api/app.ts';
import { Visitor } from './factories.ts';

/** A client of the same site under other variables and bindings, with the same users and conversations. */
export class ConfiguredVisitor extends Visitor {
  readonly #env: Env;

  /** @param of the visitor whose session it uses */
  constructor(variables: Record<string, unknown>, of?: Visitor) {
    super();
    this.#env = { ...env, ...variables } as unknown as Env;
    if (of === undefined) return;
    this.cookie = of.cookie;
    this.id = of.id;
    this.email = of.email;
  }

  protected override async fetch(request: Request): Promise<Response> {
    const context = { waitUntil: () => undefined, passThroughOnException: () => undefined };
    return api.fetch(request, this.#env, context as unknown as ExecutionContext);
  }
}
