// Every ledger balanced: its entries come to its balance, whatever was held was settled or given back once, and exactly the
// replies that came whole, or that their reader stopped with text on the screen, were paid for.

/** Kinds of entries with which something was paid for. */
export const PAID = new Set(['message', 'message_covered']);
const DAY_MS = 86_400_000;

export function checkWallets(world) {
  const { see, walletOf } = world;
  for (const [userId, wallet] of walletOf) if (wallet !== undefined) checkLedger(see, userId, wallet);
  checkPayments(world);
  checkAsks(world);
}

function checkLedger(see, userId, { balance, ledger, reservations }) {
  const where = `wallet of ${userId}`;
  if (!see('wallet_without_balance', balance !== null, where)) return;
  let sum = 0;
  for (const entry of ledger) {
    sum += entry.amount;
    see(
      'ledger_step',
      entry.balance_after === sum,
      `${where}: entry ${entry.id}, ${entry.balance_after} for ${sum}`,
    );
  }
  const has = balance.current + balance.permanent;
  see('ledger_sum', sum === has, `${where}: entries come to ${sum}, the balance is ${has}`);
  see('ledger_opening', ledger.filter(({ kind }) => kind === 'opening').length === 1, where);
  const events = ledger.map(({ about }) => about).filter((about) => about !== null);
  const doubled = events.filter((about, index) => events.indexOf(about) !== index);
  see('ledger_doubled', doubled.length === 0, `${where}: ${doubled.join(', ')}`);
  const known = new Map(reservations.map((one) => [one.id, one]));
  for (const one of reservations) {
    const own = ledger.filter(({ about }) => about === one.id);
    const paid = own.filter(({ kind }) => PAID.has(kind));
    const cost = one.from_current + one.from_permanent;
    const name = `${where}: reservation ${one.id}`;
    see('reservation_held', one.state !== 'held', name);
    if (one.state === 'settled')
      see(
        'settled_once',
        own.length === 1 && paid.length === 1 && paid[0].amount === -cost,
        `${name}: ${own.length} entries`,
      );
    if (one.state === 'released')
      see('released_free', paid.length === 0 && own.length <= 1, `${name}: ${own.length} entries`);
  }
  for (const { id, kind, about } of ledger)
    if (PAID.has(kind))
      see('entry_unexplained', known.get(about)?.state === 'settled', `${where}: entry ${id}`);
  checkDay(see, where, balance, ledger);
}

/** The day's count: every message of the day, and none of a day that is yet to come. */
function checkDay(see, where, balance, ledger) {
  const messages = ledger.filter(({ kind }) => kind === 'message');
  const today = messages.filter(({ at }) => Math.floor(at / DAY_MS) === balance.day).length;
  // A clock that was set back leaves entries with a date before the day that they were counted in.
  const upTo = messages.filter(({ at }) => Math.floor(at / DAY_MS) <= balance.day).length;
  const isCounted = balance.daily_used >= today && balance.daily_used <= upTo;
  see('day_count', isCounted, `${where}: ${balance.daily_used}, between ${today} and ${upTo}`);
}

/** What each turn cost, against how it ended. */
function checkPayments({ see, conversations, erasing, walletOf }) {
  const explained = new Set();
  for (const [chat, kept] of conversations) {
    for (const turn of kept.turns) {
      explained.add(turn.version_id);
      const text = kept.versionById.get(turn.version_id)?.content.slice(turn.base_length) ?? '';
      const isOwed = turn.error_code === null && text.trim() !== '';
      const wallet = walletOf.get(turn.payer_id);
      const state = wallet?.reservations.find(({ id }) => id === turn.version_id)?.state ?? null;
      const where = `${chat}: turn ${turn.id}, reservation ${turn.version_id} is ${state}`;
      if (isOwed) see('reply_unpaid', state === 'settled', where);
      else see('paid_for_nothing', state !== 'settled', where);
    }
  }
  for (const wallet of walletOf.values())
    for (const { id, state, conversation_id: chat } of wallet?.reservations ?? [])
      if (!erasing.has(chat) && !/^(?:draft|suggestions)-/.test(id))
        see(
          'paid_for_nothing',
          state !== 'settled' || explained.has(id),
          `${chat}: reservation ${id} is of no turn`,
        );
}

/** Drafts and suggestions: once for each that was asked for, and only where something came. */
function checkAsks({ see, journal, erasing, walletOf }) {
  for (const act of journal.acts) {
    if ((act.act !== 'draft' && act.act !== 'suggestions') || erasing.has(act.chat)) continue;
    const key = `${act.act}-${act.body.client_message_id}-`;
    const ledger = walletOf.get(act.userId)?.ledger ?? [];
    const paid = ledger.filter(({ kind, about }) => PAID.has(kind) && about?.startsWith(key)).length;
    see(
      'ask_paid_once',
      act.outcome === 'acked' ? paid === 1 : paid <= 1,
      `${act.chat}: ${key}: ${paid} times`,
    );
  }
}
