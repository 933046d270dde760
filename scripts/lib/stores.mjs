// The product's stores, for harnesses that start its runtime themselves: one place to name a new one.

/**
 * As Miniflare takes them.
 * @param {string} name of what is kept outside of objects, on this machine
 */
export const storesOf = (name) => ({
  d1Databases: { DB: name },
  kvNamespaces: { KV: name },
  r2Buckets: { MEDIA: name },
  durableObjects: {
    CONVERSATIONS: { className: 'ConversationObject', useSQLite: true },
    WALLETS: { className: 'WalletObject', useSQLite: true },
    SEARCHES: { className: 'SearchObject', useSQLite: true },
  },
});
