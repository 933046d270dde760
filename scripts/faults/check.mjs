// The independent checker: whether what the clients were told and what the provider sent is what the stores hold, and
// whether the stores agree with one another. It knows the tables and the promises, and none of the product's code.
import { checkLists } from './check-lists.mjs';
import { checkMessages } from './check-messages.mjs';
import { checkReplies } from './check-replies.mjs';
import { checkWallets } from './check-wallets.mjs';
import { owedIn } from './stores.mjs';

/** Violations told by name in one report; of thousands nobody reads more. */
const TOLD_EACH = 5;

/**
 * @param stores as `openStores(…).read()` gives them, after the runtime was killed and everybody had time to be told
 * @param journal what clients, provider and harness wrote down (`Journal.told`)
 * @returns how many things were looked at, what is wrong with them by name, and figures for the table
 */
export function check(stores, journal) {
  const found = { checks: 0, violations: [], counts: {}, longestLossMs: 0 };
  const see = (name, isTrue, detail) => {
    found.checks += 1;
    if (isTrue) return true;
    found.counts[name] = (found.counts[name] ?? 0) + 1;
    if (found.counts[name] <= TOLD_EACH)
      found.violations.push({ name, detail: typeof detail === 'function' ? detail() : detail });
    return false;
  };
  const world = {
    stores,
    journal,
    see,
    found,
    conversations: new Map(stores.conversations.map((kept) => [kept.meta.id, kept])),
    /** Chats that somebody erased or tried to: nothing is expected of them, but that they are whole or gone. */
    erasing: new Set(journal.chats.filter(({ erased }) => erased !== 'no').map(({ id }) => id)),
  };
  for (const owed of owedIn(stores)) see('still_owed', false, owed);
  see('still_owed', true);
  checkMessages(world);
  checkReplies(world);
  checkWallets(world);
  checkLists(world);
  return found;
}
