// Proof that the checker can fail: stores that are whole are spoilt in one way after the other, and each has to be named. A
// spoilt store is never written: each way is a transaction that is taken back. Where the stores cannot be wrong without the
// clients having been told so, a copy of the journal is (`retell`).
import { check } from './check.mjs';
import { BOOKS } from './mutations-books.mjs';
import { TALK } from './mutations-talk.mjs';
import { openStores } from './stores.mjs';

/**
 * @type {{ name: string, how?: string, find: Function, where?: Function, spoil?: Function, retell?: Function }[]}
 */
export const MUTATIONS = [...TALK, ...BOOKS];

/**
 * Spoils stores in every way that they have something for.
 * @returns how many ways were shown and named, which were not named, and for which nothing was there
 */
export function proveChecker(folder, journal) {
  const opened = openStores(folder);
  const proof = { shown: 0, named: 0, missed: [], without: [] };
  try {
    for (const { name, how, find, where, spoil, retell } of MUTATIONS) {
      const stores = opened.read();
      const found = find({ stores, journal });
      const told = how === undefined ? name : `${name} (${how})`;
      if (found === null || found === undefined) {
        proof.without.push(told);
        continue;
      }
      const { counts } =
        retell === undefined
          ? spoilt(opened, journal, where(found, stores), () => spoil(found, stores))
          : check(
              stores,
              retold(journal, (copy) => retell(found, copy)),
            );
      proof.shown += 1;
      if (counts[name] > 0) proof.named += 1;
      else proof.missed.push(`not named: ${told}; instead ${JSON.stringify(counts)}`);
    }
  } finally {
    opened.close();
  }
  return proof;
}

/** What is found in stores that are spoilt for that long. */
function spoilt(opened, journal, db, spoil) {
  db.exec('pragma foreign_keys = off');
  db.exec('begin');
  try {
    spoil();
    return check(opened.read(), journal);
  } finally {
    db.exec('rollback');
  }
}

/** A journal that says something else. */
function retold(journal, retell) {
  const copy = structuredClone(journal);
  retell(copy);
  return copy;
}
