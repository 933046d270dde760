// No reply torn: what is stored is a beginning of what the provider sent, whole only where it finished, and what a client
// was told is there, up to the last second before a crash.

/**
 * What a crash may cost of a reply: it is saved 0.75 to 1.25 s after its first unsaved word (docs/chat.md). The rest is for
 * a write that was under way. Times in which the runtime answered nobody, because the machine had no turn for it, do not
 * count: it could neither save nor tell anything then.
 */
export const CRASH_LOSS_MS = 1500;
/** A client's clock is read a little after the bytes came. */
const READ_LATE_MS = 150;

export function checkReplies(world) {
  const { journal, see, conversations, erasing } = world;
  const used = new Map();
  for (const [chat, kept] of conversations)
    for (const turn of kept.turns) checkStored(world, { chat, kept, turn, used });
  for (const turn of journal.turns) {
    const kept = conversations.get(turn.chat);
    if (erasing.has(turn.chat) || kept === undefined) continue;
    for (const stream of turn.streams) checkTold(world, { turn, stream, kept });
  }
  for (const [number, places] of used)
    see('reply_doubled', places.length === 1, `reply ${number} stands in ${places.join(' and ')}`);
}

/** The text of a turn, against what the provider sent for it. */
function checkStored({ journal, see }, { chat, kept, turn, used }) {
  const version = kept.versionById.get(turn.version_id);
  const where = `${chat}: turn ${turn.id}`;
  see('turn_open', turn.ended === 1, where);
  if (version === undefined) return;
  const base = version.content.slice(0, turn.base_length);
  const before = kept.versionById.get(turn.previous_version_id);
  if (turn.base_length > 0)
    see('reply_torn', before?.content === base, `${where}: it goes on from a text that was not there`);
  const added = version.content.slice(turn.base_length);
  const told = turn.base_length > 0 ? added.replace(/^\s+/, '') : added;
  const broken = version.status === 'interrupted' || version.status === 'failed';
  const fits = turn.error_code === null ? ['complete', 'interrupted'].includes(version.status) : broken;
  see('reply_status', fits, `${where}: ${version.status} with ${turn.error_code}`);
  see(
    'reply_status',
    version.error_code === turn.error_code,
    `${where}: ${version.error_code} with ${turn.error_code}`,
  );
  if (told === '') {
    see('reply_false_complete', version.status !== 'complete', `${where}: without a word`);
    return;
  }
  const number = /^r(\d+)(?: |$)/.exec(told)?.[1];
  const sent = number === undefined ? undefined : journal.upstream[number];
  if (
    !see('reply_torn', sent?.sent.startsWith(told) === true, `${where}: ${JSON.stringify(told.slice(0, 80))}`)
  )
    return;
  used.set(number, [...(used.get(number) ?? []), `${chat} ${version.id}`]);
  if (version.status === 'complete')
    see(
      'reply_false_complete',
      sent.finished && sent.sent === told,
      `${where}: reply ${number}, ${told.length} of ${sent.sent.length}, finished: ${sent.finished}`,
    );
}

/** What a client was told, against what is stored. */
function checkTold(world, { turn, stream, kept }) {
  const { see, found, journal } = world;
  const row = kept.turns.find(({ id }) => id === turn.id);
  const versionId = stream.versionId ?? turn.accepted?.versionId ?? null;
  const where = `${turn.chat}: turn ${turn.id}, version ${versionId}`;
  if (row === undefined || versionId === null) return;
  const stored = kept.versionById.get(versionId);
  const text = (stored?.content ?? '').slice(versionId === row.version_id ? row.base_length : 0);
  let place = stream.parts[0]?.from ?? 0;
  for (const part of stream.parts) {
    see('stream_gap', part.from === place, `${where}: ${part.from} after ${place}`);
    place = part.from + part.text.length;
  }
  for (const { from, text: part, at } of stream.parts) {
    const held = text.slice(from, from + part.length);
    see(
      'reply_other_than_told',
      part.startsWith(held),
      `${where} at ${from}: ${JSON.stringify([part, held])}`,
    );
    if (held.length === part.length) continue;
    // Told, and not stored: only a crash may take it, and only what came last before it.
    const death = journal.deaths.find(
      (one) => one.at >= at - READ_LATE_MS && (one.name === null || one.name === turn.chat),
    );
    const lostMs = death === undefined ? Infinity : awakeBetween(journal.stalls, at, death.at);
    if (death !== undefined) {
      found.longestLossMs = Math.max(found.longestLossMs, lostMs);
      found.longestGoneMs = Math.max(found.longestGoneMs, death.at - at);
    }
    see(
      'reply_shrunk',
      row.error_code === 'reply_interrupted' && lostMs <= CRASH_LOSS_MS,
      `${where} at ${from}: told ${lostMs} ms before a crash, ended ${row.error_code}`,
    );
    break;
  }
  const { told } = stream;
  if (told === null || stream.end === null) return;
  const shown = kept.versionById.get(told.versionId);
  // Another turn may write it anew by then, and what has no text does not outlive what has some.
  if (told.status === 'streaming' || (told.content === '' && shown === undefined)) return;
  see(
    'end_lost',
    shown?.content === told.content && shown?.status === told.status,
    `${where}: told ${told.status}, kept ${shown?.status}`,
  );
}

/** Milliseconds between two moments, without those in which the runtime answered nobody. */
function awakeBetween(stalls, from, to) {
  const asleep = stalls.reduce(
    (sum, stall) => sum + Math.max(0, Math.min(to, stall.to) - Math.max(from, stall.from)),
    0,
  );
  return Math.max(0, to - from - asleep);
}
