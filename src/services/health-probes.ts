/** A store that has not answered by then does not answer. */
const PROBE_TIMEOUT_MS = 2000;
/** What the site stands on, by names that tell nothing of how it is made. */
export const DEPENDENCIES = ['database', 'keys', 'objects'] as const;
export type DependencyName = (typeof DEPENDENCIES)[number];

/** A wallet that belongs to nobody; asking it proves that objects answer. */
const PROBE_WALLET = 'health';

type DependencyEnv = Pick<Env, 'DB' | 'KV' | 'WALLETS'>;

const PROBES: Record<DependencyName, (env: DependencyEnv) => Promise<unknown>> = {
  database: async ({ DB }) => DB.prepare('select 1 from characters limit 1').first(),
  keys: async ({ KV }) => KV.get('health'),
  objects: async ({ WALLETS }) => WALLETS.get(WALLETS.idFromName(PROBE_WALLET)).ping(),
};

/** Waits for something no longer than `ms`. @throws when it took longer, or failed */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Asks all stores at once. @returns how long each took, in ms; null for one that gave no answer in time */
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

/** Those that gave no answer. */
export const listFailedDependencies = (stores: Record<DependencyName, number | null>): DependencyName[] =>
  DEPENDENCIES.filter((name) => stores[name] === null);
