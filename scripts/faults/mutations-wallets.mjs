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
const DELETE_ENTRY = 'delete from ledger where about = ?';
const addEntry = (amount) =>
  `${COPY_ENTRY} select 'taken', at, 'message', '', ${amount}, balance_after + ${amount}, ? from ledger order by position desc limit 1`;

/** @type {import('./mutations.mjs').Mutation[]} */
export const WALLET_MUTATIONS = [
  ...mutate(findPaid, getReservation, {
    ledger_doubled: `${COPY_ENTRY} select 'twice', at, kind, reason, amount, balance_after, about from ledger where about = ?`,
    settled_once: addEntry(0),
    ledger_step: 'update ledger set balance_after = balance_after + 1 where about = ?',
    entry_unexplained: "update balance set closed = replace(closed, ?, 'another')",
    reply_unpaid: DELETE_ENTRY,
    reservation_held: `update balance set held = json_insert(held, '$[#]', json_object('id', ?, 'fromCurrent', 0, 'fromPermanent', 0))`,
  }),
  ...mutate(findPaid, null, {
    ledger_sum: 'update balance set current = current + 1',
    ledger_opening: "delete from ledger where kind = 'opening'",
    day_count: 'update balance set daily_used = daily_used + 1000',
    wallet_without_balance: 'delete from balance',
  }),
  ...mutate(findFailed, getReservation, {
    paid_for_nothing: "update ledger set kind = 'message' where about = ?",
  }),
  ...mutate((context) => withWallet(context, findStop(context)), getReservation, {
    stop_paid: DELETE_ENTRY,
  }),
  ...mutate(findReleased, ({ reservation }) => [reservation.id], {
    released_free: addEntry(-1),
  }),
  ...mutate(findPaidRequest, ({ entry }) => [entry.id], {
    request_paid_once: 'delete from ledger where id = ?',
  }),
];
