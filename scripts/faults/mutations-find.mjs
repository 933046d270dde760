// What a mutation can spoil, looked for in stores that are whole.

/** Chats that somebody tried to erase: of them nothing is expected. */
export const erasingIn = (journal) =>
  new Set(journal.chats.filter(({ erased }) => erased !== 'no').map(({ id }) => id));

/** The first accepted turn that is still there and pleases, with its conversation. */
export function turnWhere({ stores, journal }, pleases) {
  const erasing = erasingIn(journal);
  for (const turn of journal.turns) {
    if (turn.accepted === null || erasing.has(turn.chat)) continue;
    const kept = stores.conversations.find(({ meta }) => meta.id === turn.chat);
    const row = kept?.turns.find(({ id }) => id === turn.id);
    const version = kept?.versionById.get(row?.version_id);
    if (row !== undefined && pleases({ turn, kept, row, version })) return { turn, kept, row, version };
  }
  return null;
}

export const sendOf = (world) => turnWhere(world, ({ turn }) => turn.kind === 'send');
export const wholeOf = (world) =>
  turnWhere(world, ({ version }) => version?.status === 'complete' && version.content.length > 12);

/** The wallet that a whole reply was paid from. */
export function paidFrom(world) {
  const found = wholeOf(world);
  if (found === null) return null;
  const person = world.journal.people.find(({ userId }) => userId === found.row.payer_id);
  const wallet = world.stores.wallets.get(person?.wallet);
  return wallet === undefined ? null : { ...found, wallet };
}

/** A conversation that is listed, and in which something was said. */
export const listedIn = ({ stores }) => stores.conversations.find(({ turns }) => turns.length > 0) ?? null;

/** A message that the search knows. */
export function searched({ stores, journal }) {
  for (const { search } of journal.people) {
    const db = stores.searches.get(search);
    const entry = db?.prepare('select * from entries limit 1').get();
    if (entry !== undefined) return { db, entry };
  }
  return null;
}

/** An act of some kind that was done, in a conversation that is there. */
export function done({ stores, journal }, name, pleases = () => true) {
  const erasing = erasingIn(journal);
  for (const act of journal.acts) {
    if (act.act !== name || act.outcome !== 'acked' || erasing.has(act.chat)) continue;
    const kept = stores.conversations.find(({ meta }) => meta.id === act.chat);
    if (kept !== undefined && pleases(act, kept)) return { act, kept };
  }
  return null;
}

/** The reservation of somebody's turn that pleases, with its wallet. */
export function reservedFor(world, pleases) {
  for (const { wallet: id } of world.journal.people) {
    const wallet = world.stores.wallets.get(id);
    const reservation = wallet?.reservations.find(pleases);
    if (reservation !== undefined) return { wallet, reservation };
  }
  return null;
}

/** A stop that was answered with the reply that it ended, and the turn of that; only where it has text and no error. */
export function stopOf(world) {
  const endedBy = ({ told }, { versionById, turns }) => {
    const version = versionById.get(told?.reply?.versionId);
    const row = turns.find(({ version_id: id }) => id === version?.id);
    const hasText = (told?.reply?.content ?? '').slice(row?.base_length).trim() !== '';
    return row?.error_code === null && hasText ? { version, row } : null;
  };
  const found = done(world, 'stop', (act, kept) => endedBy(act, kept) !== null);
  return found === null ? null : { ...found, ...endedBy(found.act, found.kept) };
}
