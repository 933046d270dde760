// The independent checker: whether what the clients were told and what the provider sent is what the stores hold, and
// whether the stores agree with one another. It knows the tables and the promises, and none of the product's code.
import { checkActs } from './check-acts.mjs';
import { checkLists } from './check-lists.mjs';
import { checkMessages } from './check-messages.mjs';
import { checkReplies } from './check-replies.mjs';
import { checkWallets } from './check-wallets.mjs';
import { owedIn } from './stores.mjs';

/** All that can be wrong. Each is provoked by one of the mutations, or the checker could not be believed when it is silent. */
export const NAMES = [
  ...['message_lost', 'message_doubled', 'message_changed', 'message_count', 'pair_torn'],
  ...['conversation_lost', 'turn_lost', 'turn_open', 'refused_turn_kept', 'version_lost'],
  ...['version_without_message', 'edit_lost', 'selection_lost', 'title_lost', 'put_away_lost', 'erased_kept'],
  ...['deletion_lost', 'deletion_count', 'restoration_lost'],
  ...['stop_lost', 'stopped_on', 'stopped_text', 'told_after_stop', 'stop_paid'],
  ...[
    'reply_lost',
    'reply_torn',
    'reply_doubled',
    'reply_status',
    'reply_false_complete',
    'reply_unfinished',
  ],
  ...['reply_shrunk', 'reply_other_than_told', 'stream_gap', 'end_lost'],
  ...['wallet_without_balance', 'ledger_step', 'ledger_sum', 'ledger_opening', 'ledger_doubled', 'day_count'],
  ...['reservation_held', 'settled_once', 'released_free', 'entry_unexplained'],
  ...['reply_unpaid', 'paid_for_nothing', 'ask_paid_once'],
  ...[
    'row_without_conversation',
    'conversation_unlisted',
    'row_count',
    'row_title',
    'row_owner',
    'row_trash',
  ],
  ...['row_turns', 'row_character', 'row_time', 'search_missing', 'search_other_words', 'search_stale'],
  ...['chat_count', 'chat_days', 'figures', 'still_owed', 'key_unknown'],
];

/** Violations told by name in one report; of thousands nobody reads more. */
const TOLD_EACH = 5;

/**
 * @param stores as `openStores(…).read()` gives them, after the runtime was killed and everybody had time to be told
 * @param journal what clients, provider and harness wrote down (`Journal.told`)
 * @returns how many things were looked at, what is wrong with them by name, and figures for the table
 */
export function check(stores, journal) {
  const found = { checks: 0, violations: [], counts: {}, longestLossMs: 0, longestGoneMs: 0 };
  const see = (name, isTrue, detail) => {
    if (!NAMES.includes(name)) throw new Error(`${name} is no violation that is known`);
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
    walletOf: new Map(journal.people.map(({ userId, wallet }) => [userId, stores.wallets.get(wallet)])),
    conversations: new Map(stores.conversations.map((kept) => [kept.meta.id, kept])),
    /** Chats that somebody erased or tried to: nothing is expected of them, but that they are whole or gone. */
    erasing: new Set(journal.chats.filter(({ erased }) => erased !== 'no').map(({ id }) => id)),
  };
  for (const owed of owedIn(stores)) see('still_owed', false, owed);
  see('still_owed', true);
  checkMessages(world);
  checkActs(world);
  checkReplies(world);
  checkWallets(world);
  checkLists(world);
  return found;
}
