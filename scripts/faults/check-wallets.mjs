// Checks that ledgers add up to their balances, that each reservation was settled or released once, and that exactly the
// complete replies, and those that were stopped with text, were paid for.
import { createOwedTest } from './stores.mjs';

/** The kinds of ledger entries that pay for something. */
export const PAID = new Set(['message', 'message_covered']);
const DAY_MS = 86_400_000;
const CLOSED_REMEMBERED = 200;

export function checkWallets(context) {
  const { expect, walletOf, conversations } = context;
  const isOwed = createOwedTest(conversations.values());
  for (const [userId, wallet] of walletOf)
    if (wallet !== undefined) checkLedger(expect.at(`wallet of ${userId}`), wallet, isOwed);
  checkPayments(context);
  checkRequests(context);
}

function checkLedger(expect, { balance, ledger, reservations }, isOwed) {
  if (!expect('wallet_without_balance', balance !== null)) return;
  let sum = 0;
  for (const entry of ledger) {
    sum += entry.amount;
    expect('ledger_step', entry.balance_after === sum, `entry ${entry.id}: not ${sum}`);
  }
  const has = balance.current + balance.permanent;
  expect('ledger_sum', sum === has, `entries add up to ${sum}, the balance is ${has}`);
  expect('ledger_opening', ledger.filter(({ kind }) => kind === 'opening').length === 1);
  const events = ledger.map(({ about }) => about).filter((about) => about !== null);
  const doubled = events.filter((about, index) => events.indexOf(about) !== index);
  expect('ledger_doubled', doubled.length === 0, `${doubled.join(', ')}`);
  // The wallet remembers the newest ones.
  const closed = JSON.parse(balance.closed);
  const isWhole = closed.length < CLOSED_REMEMBERED;
  for (const one of reservations) {
    const own = ledger.filter(({ about }) => about === one.id);
    const paid = own.filter(({ kind }) => PAID.has(kind));
    const detail = `reservation ${one.id}, ${own.length} entries`;
    expect('reservation_held', !isOwed(one), detail);
    if (one.state === 'settled') expect('settled_once', own.length === 1, detail);
    if (one.state === 'released') expect('released_free', paid.length === 0 && own.length <= 1, detail);
  }
  for (const { id, kind, about } of ledger)
    if (PAID.has(kind) && isWhole) expect('entry_unexplained', closed.includes(about), `entry ${id}`);
  checkDay(expect, balance, ledger);
}

/** Checks that the daily count has every message of the day, and none of a later day. */
function checkDay(expect, balance, ledger) {
  const messages = ledger.filter(({ kind }) => kind === 'message');
  const today = messages.filter(({ at }) => Math.floor(at / DAY_MS) === balance.day).length;
  // A clock that was set back leaves entries dated before the day that counted them.
  const upTo = messages.filter(({ at }) => Math.floor(at / DAY_MS) <= balance.day).length;
  const isCounted = balance.daily_used >= today && balance.daily_used <= upTo;
  expect('day_count', isCounted, `${balance.daily_used}, between ${today} and ${upTo}`);
}

/** Compares what each turn cost with how it ended. */
function checkPayments({ expect, conversations, erasing, walletOf }) {
  const explained = new Set();
  for (const [chat, stored] of conversations) {
    for (const turn of stored.turns) {
      explained.add(turn.version_id);
      const text = stored.versionById.get(turn.version_id)?.content.slice(turn.base_length) ?? '';
      const isOwed = turn.error_code === null && text.trim() !== '';
      const wallet = walletOf.get(turn.payer_id);
      const state = wallet?.reservations.find(({ id }) => id === turn.version_id)?.state ?? null;
      const detail = `${chat}: turn ${turn.id}, reservation ${turn.version_id} is ${state}`;
      if (isOwed) expect('reply_unpaid', state === 'settled', detail);
      else expect('paid_for_nothing', state !== 'settled', detail);
    }
  }
  for (const wallet of walletOf.values())
    for (const { id, state, conversation_id: chat } of wallet?.reservations ?? [])
      if (!erasing.has(chat) && !/^(?:draft|suggestions)-/.test(id))
        expect('paid_for_nothing', state !== 'settled' || explained.has(id), `${chat}: ${id} has no turn`);
}

/** Checks that drafts and suggestions were paid for once per request, and only if they arrived. */
function checkRequests({ expect, journal, erasing, walletOf }) {
  for (const action of journal.actions) {
    if ((action.kind !== 'draft' && action.kind !== 'suggestions') || erasing.has(action.chat)) continue;
    const key = `${action.kind}-${action.body.client_message_id}-`;
    const ledger = walletOf.get(action.userId)?.ledger ?? [];
    const paid = ledger.filter(({ kind, about }) => PAID.has(kind) && about?.startsWith(key)).length;
    const isOnce = action.outcome === 'acked' ? paid === 1 : paid <= 1;
    expect('request_paid_once', isOnce, `${action.chat}: ${key}: ${paid} times`);
  }
}
