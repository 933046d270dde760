// Proves that the checker can fail: corrupts intact stores in one way after another, and the checker has to report each. A
// mutation of a store is a transaction that is rolled back; where the promise is about clients, it changes a copy of the journal.
import { check } from './check.mjs';
import { CONVERSATION_MUTATIONS } from './mutations-conversations.mjs';
import { INDEX_MUTATIONS } from './mutations-indexes.mjs';
import { WALLET_MUTATIONS } from './mutations-wallets.mjs';
import { openStores } from './stores.mjs';

/**
 * @typedef {object} Mutation
 * @property {string} name the violation that the checker has to report
 * @property {string} label the name, with a note if several mutations have it
 * @property {Function} find returns what to change, with its database as `db`; null if these stores have none
 * @property {string | string[]} [sql] changes the database
 * @property {Function} [values] the values of each statement, from what was found
 * @property {Function} [changeJournal] changes the journal instead
 */

/** @type {Mutation[]} */
export const MUTATIONS = [...CONVERSATION_MUTATIONS, ...WALLET_MUTATIONS, ...INDEX_MUTATIONS];

/**
 * Applies every mutation for which the stores have something.
 * @returns how many were shown and reported, which were missed, and which did not apply
 */
export function proveChecker(folder, journal) {
  const opened = openStores(folder);
  const proof = { shown: 0, named: 0, missed: [], without: [] };
  try {
    for (const mutation of MUTATIONS) {
      const { name, label, find, changeJournal } = mutation;
      const stores = opened.read();
      const found = find({ stores, journal });
      if (found === null) {
        proof.without.push(label);
        continue;
      }
      const copy = structuredClone(journal);
      changeJournal?.(found, copy);
      const { counts } =
        changeJournal === undefined ? checkMutated(opened, journal, found, mutation) : check(stores, copy);
      proof.shown += 1;
      if (counts[name] > 0) proof.named += 1;
      else proof.missed.push(`not reported: ${label}; instead ${JSON.stringify(counts)}`);
    }
  } finally {
    opened.close();
  }
  return proof;
}

function checkMutated(opened, journal, found, { sql, values }) {
  const { db } = found;
  db.exec('pragma foreign_keys = off');
  db.exec('begin');
  try {
    for (const statement of [sql].flat()) db.prepare(statement).run(...values(found));
    return check(opened.read(), journal);
  } finally {
    db.exec('rollback');
  }
}
