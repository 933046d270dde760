// Checks that a stored reply is a prefix of what the provider sent, complete only if the provider finished, and that what
// clients received is stored, up to the last second before a crash.

/**
 * How much of a reply a crash may take. A reply is saved at most 2 s after its first unsaved word (docs/chat.md); the rest
 * is for a write in progress. Times when the runtime did not answer do not count: it could neither save nor send anything.
 */
export const CRASH_LOSS_MS = 2250;
/** A client notes the time a little after the bytes arrive. */
const READ_LATE_MS = 150;

export function checkReplies(context) {
  const { journal, expect, conversations, erasing } = context;
  const used = new Map();
  for (const [chat, stored] of conversations)
    for (const turn of stored.turns) checkStored(context, { chat, stored, turn, used });
  for (const turn of journal.turns) {
    const stored = conversations.get(turn.chat);
    if (erasing.has(turn.chat) || stored === undefined) continue;
    for (const stream of turn.streams) checkReceived(context, { turn, stream, stored });
  }
  for (const [number, places] of used)
    expect('reply_doubled', places.length === 1, `reply ${number} is in ${places.join(' and ')}`);
}

/** Compares the text of a turn with what the provider sent. */
function checkStored(context, { chat, stored, turn, used }) {
  const expect = context.expect.at(`${chat}: turn ${turn.id}`);
  const version = stored.versionById.get(turn.version_id);
  expect('turn_open', turn.ended === 1);
  if (version === undefined) return;
  const base = version.content.slice(0, turn.base_length);
  const before = stored.versionById.get(turn.previous_version_id);
  if (turn.base_length > 0)
    expect('reply_corrupted', before?.content === base, 'it continues a text that was never stored');
  const added = version.content.slice(turn.base_length);
  const text = turn.base_length > 0 ? added.replace(/^\s+/, '') : added;
  const broken = version.status === 'interrupted' || version.status === 'failed';
  const fits = turn.error_code === null ? ['complete', 'interrupted'].includes(version.status) : broken;
  expect('reply_status', fits, `${version.status} with ${turn.error_code}`);
  const isSame = version.error_code === turn.error_code;
  expect('reply_status', isSame, `${version.error_code} with ${turn.error_code}`);
  if (text === '') {
    expect('reply_false_complete', version.status !== 'complete', 'without a word');
    return;
  }
  const number = /^r(\d+)(?: |$)/.exec(text)?.[1];
  const sent = number === undefined ? undefined : context.journal.provider[number];
  const isPrefix = sent?.sent.startsWith(text) === true;
  if (!expect('reply_corrupted', isPrefix, JSON.stringify(text.slice(0, 80)))) return;
  used.set(number, [...(used.get(number) ?? []), `${chat} ${version.id}`]);
  if (version.status === 'complete')
    expect('reply_false_complete', sent.finished && sent.sent === text, `reply ${number}, ${text.length}`);
}

/** Compares what a client received with what is stored. */
function checkReceived(context, { turn, stream, stored }) {
  const { found, journal } = context;
  const row = stored.turns.find(({ id }) => id === turn.id);
  const versionId = stream.versionId ?? turn.accepted?.versionId ?? null;
  const expect = context.expect.at(`${turn.chat}: turn ${turn.id}, version ${versionId}`);
  if (row === undefined || versionId === null) return;
  const version = stored.versionById.get(versionId);
  // A repeated call shows the newest version. If another turn began it and ended without text, it is deleted, and the text
  // that it began with is in the version before.
  if (version === undefined && versionId !== row.version_id) return;
  const text = (version?.content ?? '').slice(versionId === row.version_id ? row.base_length : 0);
  let place = stream.parts[0]?.from ?? 0;
  for (const part of stream.parts) {
    expect('stream_gap', part.from === place, `${part.from} after ${place}`);
    place = part.from + part.text.length;
  }
  for (const { from, text: part, at } of stream.parts) {
    const saved = text.slice(from, from + part.length);
    expect('reply_differs', part.startsWith(saved), `at ${from}: ${JSON.stringify([part, saved])}`);
    if (saved.length === part.length) continue;
    // Received but not stored: only a crash may take it, and only the last text before the crash.
    const crash = journal.crashes.find(
      (one) => one.at >= at - READ_LATE_MS && (one.name === null || one.name === turn.chat),
    );
    const lostMs = crash === undefined ? Infinity : measureAwake(journal.stalls, at, crash.at);
    if (crash !== undefined) {
      found.maxLossMs = Math.max(found.maxLossMs, lostMs);
      found.maxGapMs = Math.max(found.maxGapMs, crash.at - at);
    }
    expect(
      'reply_shrunk',
      row.error_code === 'reply_interrupted' && lostMs <= CRASH_LOSS_MS,
      `at ${from}: received ${lostMs} ms before a crash, ended ${row.error_code}`,
    );
    break;
  }
  const { reply } = stream;
  if (reply === null || stream.end === null) return;
  const shown = stored.versionById.get(reply.versionId);
  // By then another turn may regenerate it, and a version without text is deleted when another has text.
  if (reply.status === 'streaming' || (reply.content === '' && shown === undefined)) return;
  expect(
    'end_lost',
    shown?.content === reply.content && shown?.status === reply.status,
    `received ${reply.status}, stored ${shown?.status}`,
  );
}

/** Returns the milliseconds between two times, without those when the runtime did not answer. */
function measureAwake(stalls, from, to) {
  const asleep = stalls.reduce(
    (sum, stall) => sum + Math.max(0, Math.min(to, stall.to) - Math.max(from, stall.from)),
    0,
  );
  return Math.max(0, to - from - asleep);
}
