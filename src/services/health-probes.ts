import { withTimeout } from '../lib/with-timeout.ts';

/** A store that has not answered within this time counts as failed. */
const PROBE_TIMEOUT_MS = 2000;
/** The stores that the site depends on. The names are public, so they do not name products. */
export const DEPENDENCIES = ['database', 'keys', 'objects'] as const;
export type DependencyName = (typeof DEPENDENCIES)[number];

/** A wallet without a user; it answers only to show that Durable Objects work. */
const PROBE_WALLET = 'health';

type DependencyEnv = Pick<Env, 'DB' | 'KV' | 'WALLETS'>;

const PROBES: Record<DependencyName, (env: DependencyEnv) => Promise<unknown>> = {
  database: async ({ DB }) => DB.prepare('select 1 from characters limit 1').first(),
  keys: async ({ KV }) => KV.get('health'),
  objects: async ({ WALLETS }) => WALLETS.get(WALLETS.idFromName(PROBE_WALLET)).ping(),
};

/** Probes all stores in parallel. @returns milliseconds per store; null for one that failed or timed out */
export async function probeDependencies(
  env: DependencyEnv,
  limitMs = PROBE_TIMEOUT_MS,
): Promise<Record<DependencyName, number | null>> {
  const results = await Promise.all(
    DEPENDENCIES.map(async (name) => {
      const began = Date.now();
      try {
        await withTimeout(limitMs, PROBES[name](env));
        return [name, Date.now() - began] as const;
      } catch {
        return [name, null] as const;
      }
    }),
  );
  return Object.fromEntries(results) as Record<DependencyName, number | null>;
}

/** Lists the stores that did not answer. */
export const listFailedDependencies = (stores: Record<DependencyName, number | null>): DependencyName[] =>
  DEPENDENCIES.filter((name) => stores[name] === null);
