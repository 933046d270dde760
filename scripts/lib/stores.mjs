// The product's stores, for harnesses that start the runtime themselves: add a new store here.

/**
 * Returns the stores as Miniflare's options.
 * @param {string} name of the local D1 database, KV namespace and R2 bucket
 */
export const getStoreOptions = (name) => ({
  d1Databases: { DB: name },
  kvNamespaces: { KV: name },
  r2Buckets: { MEDIA: name },
  durableObjects: {
    CONVERSATIONS: { className: 'ConversationObject', useSQLite: true },
    WALLETS: { className: 'WalletObject', useSQLite: true },
    SEARCHES: { className: 'SearchObject', useSQLite: true },
  },
});
