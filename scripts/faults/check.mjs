// The independent checker: compares the stores with what clients received and what the provider sent, and with one another. It
// imports nothing from the product.
import { checkActions } from './check-actions.mjs';
import { checkIndexes } from './check-indexes.mjs';
import { checkMessages } from './check-messages.mjs';
import { checkReplies } from './check-replies.mjs';
import { checkWallets } from './check-wallets.mjs';
import { listPending } from './stores.mjs';

/** Every violation. At least one mutation provokes each, which proves that the checker can report it. */
export const VIOLATIONS = `
  message_lost message_doubled message_changed message_count pair_split conversation_lost turn_lost
  turn_open refused_turn_kept version_without_message edit_lost selection_lost
  title_lost trash_move_lost erased_kept deletion_lost deletion_count restoration_lost stop_lost
  stop_unfinished stopped_text text_after_stop stop_paid reply_lost reply_corrupted reply_doubled
  reply_status reply_false_complete reply_unfinished reply_shrunk reply_differs stream_gap
  end_lost wallet_without_balance ledger_step ledger_sum ledger_opening ledger_doubled day_count
  reservation_held settled_once released_free entry_unexplained reply_unpaid paid_for_nothing
  request_paid_once row_without_conversation conversation_unlisted row_owner row_trash
  row_turns row_begun row_counted row_character list_missing list_count list_title list_trash list_time list_unread
  list_character list_line list_stale search_missing search_other_words search_stale
  chat_count chat_days figures work_pending key_unknown
`
  .trim()
  .split(/\s+/);

/** How many violations of a name are described. */
const DESCRIBED_EACH = 5;

/**
 * Checks stores after the runtime was killed and alarms had time to finish pending work.
 * @param stores from `openStores(…).read()`
 * @param journal from `Journal.export`
 * @returns the number of checks, the violations by name, and the longest losses
 */
export function check(stores, journal) {
  const found = { checks: 0, violations: [], counts: {}, maxLossMs: 0, maxGapMs: 0 };
  const expect = (name, isTrue, detail) => {
    if (!VIOLATIONS.includes(name)) throw new Error(`${name} is not listed in VIOLATIONS`);
    found.checks += 1;
    if (isTrue) return true;
    found.counts[name] = (found.counts[name] ?? 0) + 1;
    if (found.counts[name] <= DESCRIBED_EACH) found.violations.push({ name, detail });
    return false;
  };
  /** Returns the same function with a place before each detail. */
  expect.at = (where) => (name, isTrue, detail) =>
    expect(name, isTrue, detail === undefined ? where : `${where}: ${detail}`);
  const context = {
    stores,
    journal,
    expect,
    found,
    walletOf: new Map(journal.users.map(({ userId, wallet }) => [userId, stores.wallets.get(wallet)])),
    conversations: new Map(stores.conversations.map((stored) => [stored.meta.id, stored])),
    /** Conversations that a user tried to erase: their contents are not checked. */
    erasing: new Set(journal.chats.filter(({ erased }) => erased !== 'no').map(({ id }) => id)),
  };
  for (const pending of listPending(stores)) expect('work_pending', false, pending);
  expect('work_pending', true);
  checkMessages(context);
  checkActions(context);
  checkReplies(context);
  checkWallets(context);
  checkIndexes(context);
  return found;
}
