// Finds rows that a mutation can corrupt, in intact stores. Each finder returns the database to change as `db`, with what it
// found, or null.

import { listSearchRows } from './check-indexes.mjs';

/**
 * Builds mutations of what a finder finds.
 * @param {Function} find
 * @param {Function | null} getValues returns the values of the statement; null if it has none
 * @param {Record<string, string | string[]>} changes SQL by the violation that the checker has to report; a second mutation for the same violation adds a note to its name
 */
export const mutate = (find, getValues, changes) =>
  Object.entries(changes).map(([label, sql]) => ({
    ...{ name: label.split(' ')[0], label, find, sql },
    values: getValues ?? (() => []),
  }));

/** The chats that a user tried to erase: the checker expects nothing of their contents. */
export const listErasing = (journal) =>
  new Set(journal.chats.filter(({ erased }) => erased !== 'no').map(({ id }) => id));

/** Finds a conversation. @param {(conversation: object) => boolean} matches */
export const findConversation = ({ stores }, matches = ({ turns }) => turns.length > 0) =>
  stores.conversations.find(matches) ?? null;

/** Finds an accepted turn that still exists. */
export function findTurn({ stores, journal }, matches) {
  const erasing = listErasing(journal);
  for (const turn of journal.turns) {
    if (turn.accepted === null || erasing.has(turn.chat)) continue;
    const conversation = stores.conversations.find(({ meta }) => meta.id === turn.chat);
    const row = conversation?.turns.find(({ id }) => id === turn.id);
    const version = conversation?.versionById.get(row?.version_id);
    const found = { db: conversation?.db, turn, conversation, row, version };
    if (row !== undefined && matches(found)) return found;
  }
  return null;
}

export const findSend = (context) => findTurn(context, ({ turn }) => turn.kind === 'send');
export const findComplete = (context) =>
  findTurn(context, ({ version }) => version?.status === 'complete' && version.content.length > 12);

/** Adds the wallet that paid for a turn. */
export function withWallet({ stores, journal }, found) {
  const user = journal.users.find(({ userId }) => userId === found?.row.payer_id);
  const wallet = stores.wallets.get(user?.wallet);
  return wallet === undefined ? null : { ...found, db: wallet.db, wallet };
}

export const findPaid = (context) => withWallet(context, findComplete(context));

/** Finds a reservation, with its wallet. */
export function findReservation({ stores, journal }, matches) {
  for (const { wallet: id } of journal.users) {
    const wallet = stores.wallets.get(id);
    const reservation = wallet?.reservations.find(matches);
    if (reservation !== undefined) return { db: wallet.db, reservation };
  }
  return null;
}

/** Finds a message in the search. */
export function findSearchRow({ stores, journal }) {
  for (const { search } of journal.users) {
    const db = stores.searches.get(search);
    const row = db === undefined ? undefined : listSearchRows(db)[0];
    if (row !== undefined) return { db, row };
  }
  return null;
}

/** Finds a confirmed action in a conversation that exists. */
export function findAction({ stores, journal }, kind, matches = () => true) {
  const erasing = listErasing(journal);
  for (const action of journal.actions) {
    if (action.kind !== kind || action.outcome !== 'acked' || erasing.has(action.chat)) continue;
    const conversation = stores.conversations.find(({ meta }) => meta.id === action.chat);
    if (conversation !== undefined && matches(action, conversation))
      return { db: conversation.db, action, conversation };
  }
  return null;
}

/** Finds a stop whose answer has the reply that it ended, with text and without an error; with the turn of that reply. */
export function findStop(context) {
  const findReply = ({ answer }, { versionById, turns }) => {
    const version = versionById.get(answer?.reply?.versionId);
    const row = turns.find(({ version_id: id }) => id === version?.id);
    const hasText = (answer?.reply?.content ?? '').slice(row?.base_length).trim() !== '';
    return row?.error_code === null && hasText ? { version, row } : null;
  };
  const found = findAction(context, 'stop', (...stop) => findReply(...stop) !== null);
  return found === null ? null : { ...found, ...findReply(found.action, found.conversation) };
}
