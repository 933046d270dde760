// Mutations of wallets: balance, ledger, reservations.
import { PAID } from './check-wallets.mjs';
import {
  findPaid,
  findReservation,
  findStop,
  findTurn,
  listErasing,
  mutate,
  withWallet,
} from './mutation-targets.mjs';

const getReservation = ({ row }) => [row.version_id];

const findFailed = (context) => {
  const found = withWallet(
    context,
    findTurn(context, ({ row }) => row.error_code !== null),
  );
  return found?.wallet.reservations.some(({ id }) => id === found.row.version_id) ? found : null;
};

const findReleased = (context) => findReservation(context, ({ state }) => state === 'released');

/** The ledger entry of a draft or of suggestions. */
function findPaidRequest({ stores, journal }) {
  for (const { kind, outcome, chat, userId, body } of journal.actions) {
    if (!['draft', 'suggestions'].includes(kind) || outcome !== 'acked') continue;
    if (listErasing(journal).has(chat)) continue;
    const user = journal.users.find((one) => one.userId === userId);
    const wallet = stores.wallets.get(user.wallet);
    const entry = wallet?.ledger.find(
      (one) => PAID.has(one.kind) && one.about?.startsWith(`${kind}-${body.client_message_id}-`),
    );
    if (entry !== undefined) return { db: wallet.db, entry };
  }
  return null;
}

const COPY_ENTRY = 'insert into ledger (id, at, kind, reason, amount, balance_after, about)';

/** @type {import('./mutations.mjs').Mutation[]} */
export const WALLET_MUTATIONS = [
  ...mutate(findPaid, getReservation, {
    ledger_doubled: `${COPY_ENTRY} select 'twice', at, kind, reason, amount, balance_after, about from ledger where about = ?`,
    settled_once: 'delete from ledger where about = ?',
    ledger_step: 'update ledger set balance_after = balance_after + 1 where about = ?',
    entry_unexplained: 'delete from reservations where id = ?',
    reply_unpaid: "update reservations set state = 'released' where id = ?",
    reservation_held: "update reservations set state = 'held' where id = ?",
  }),
  ...mutate(findPaid, null, {
    ledger_sum: 'update balance set current = current + 1',
    ledger_opening: "delete from ledger where kind = 'opening'",
    day_count: 'update balance set daily_used = daily_used + 1000',
    wallet_without_balance: 'delete from balance',
  }),
  ...mutate(findFailed, getReservation, {
    paid_for_nothing: "update reservations set state = 'settled' where id = ?",
  }),
  ...mutate((context) => withWallet(context, findStop(context)), getReservation, {
    stop_paid: "update reservations set state = 'released' where id = ?",
  }),
  ...mutate(findReleased, ({ reservation }) => [reservation.id], {
    released_free: `${COPY_ENTRY} select 'taken', at, 'message', '', -1, balance_after - 1, ? from ledger order by rowid desc limit 1`,
  }),
  ...mutate(findPaidRequest, ({ entry }) => [entry.id], {
    request_paid_once: 'delete from ledger where id = ?',
  }),
];
