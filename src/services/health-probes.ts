/** A store that has not answered by then does not answer. */
const HEALTH_LIMIT_MS = 2000;
/** What the site stands on, by names that tell nothing of how it is made. */
export const STORES = ['database', 'keys', 'objects'] as const;
export type StoreName = (typeof STORES)[number];

/** A wallet that belongs to nobody; asking it proves that objects answer. */
const PROBE_WALLET = 'health';

type StoreEnv = Pick<Env, 'DB' | 'KV' | 'WALLETS'>;

const ASK: Record<StoreName, (env: StoreEnv) => Promise<unknown>> = {
  database: async ({ DB }) => DB.prepare('select 1 from characters limit 1').first(),
  keys: async ({ KV }) => KV.get('health'),
  objects: async ({ WALLETS }) => WALLETS.get(WALLETS.idFromName(PROBE_WALLET)).ping(),
};

/** Waits for something no longer than `ms`. @throws when it took longer, or failed */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Asks all stores at once. @returns how long each took, in ms; null for one that gave no answer in time */
export async function askStores(
  env: StoreEnv,
  limitMs = HEALTH_LIMIT_MS,
): Promise<Record<StoreName, number | null>> {
  const asked = await Promise.all(
    STORES.map(async (name) => {
      const began = Date.now();
      try {
        await within(limitMs, ASK[name](env));
        return [name, Date.now() - began] as const;
      } catch {
        return [name, null] as const;
      }
    }),
  );
  return Object.fromEntries(asked) as Record<StoreName, number | null>;
}

/** Those that gave no answer. */
export const failedOf = (stores: Record<StoreName, number | null>): StoreName[] =>
  STORES.filter((name) => stores[name] === null);
