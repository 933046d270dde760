import { env } from 'cloudflare:workers';
import { api } from '../../src/api/app.ts';
import { Visitor } from './factories.ts';

/** Somebody at the same site as its operator might have set it up: other variables and bindings, the same people and stories. */
export class ConfiguredVisitor extends Visitor {
  readonly #env: Env;

  /** @param of whose browser it is: with the same session */
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
