// Checks that confirmed actions on messages and conversations are stored, or a later action instead.

export function checkActions(context) {
  const { journal, erasing } = context;
  for (const action of journal.actions)
    if (action.outcome === 'acked' && !erasing.has(action.chat)) checkAction(context, action);
  checkTitles(context);
}

function checkAction(context, action) {
  const { conversations, journal } = context;
  const expect = context.expect.at(`${action.kind} in ${action.chat} at ${action.at}`);
  if (action.kind === 'fork') {
    const { id } = action.answer.conversation;
    if (!context.erasing.has(id)) expect('conversation_lost', conversations.has(id), id);
    return;
  }
  const stored = conversations.get(action.chat);
  if (!expect('conversation_lost', stored !== undefined)) return;
  const messageId = action.path?.split('/')[2];
  if (action.kind === 'edit') {
    const edited = stored.versions.some(
      (one) => one.message_id === messageId && one.content === action.body.content && one.edited === 1,
    );
    expect('edit_lost', edited, action.body.content);
  } else if (action.kind === 'delete') {
    const back = journal.actions.some(
      (one) => one.kind === 'restore' && one.path.includes(action.answer.id) && one.outcome !== 'refused',
    );
    const item = stored.trash.find(({ id }) => id === action.answer.id);
    if (back) return;
    expect('deletion_lost', item?.message_count === action.answer.message_count, action.answer.id);
    expect('deletion_lost', stored.messageById.get(messageId)?.trash_id === action.answer.id, messageId);
  } else if (action.kind === 'restore') {
    const trashId = messageId;
    expect('restoration_lost', !stored.trash.some(({ id }) => id === trashId), trashId);
    for (const id of action.answer.message_ids)
      expect('restoration_lost', stored.messageById.get(id)?.trash_id !== trashId, id);
  } else if (action.kind === 'select') {
    checkSelected(expect, journal, action, stored);
  } else if (action.kind === 'stop' && action.answer.reply !== undefined && action.answer.reply !== null) {
    checkStopped(expect, context, action, stored);
  }
}

/**
 * Whether an action may have been applied after another began. An answer, even an error, comes after the work is done; an
 * action whose client timed out may be applied at any later time.
 */
const mayFollow = (later, action) =>
  later.outcome !== 'refused' && (later.ended >= action.at || later.code === 'TimeoutError');

/** The versions that a message may show after one was selected; null if the message may have changed since. */
export function versionsChosen(journal, action, stored) {
  const messageId = action.path.split('/')[2];
  const later = journal.actions.filter(
    (one) =>
      one !== action &&
      one.chat === action.chat &&
      one.path?.split('/')[2] === messageId &&
      mayFollow(one, action),
  );
  const isOver =
    later.some((one) => one.kind === 'edit') ||
    // A turn on the message selects its own version, or restores the previous one.
    journal.turns.some(
      ({ id, ended }) =>
        (ended === null || ended >= action.at) &&
        stored.turns.some((row) => row.id === id && row.reply_id === messageId),
    );
  const chosen = [action, ...later.filter((one) => one.kind === 'select')];
  return isOver ? null : chosen.map(({ body }) => body.version_id);
}

function checkSelected(expect, journal, action, stored) {
  const may = versionsChosen(journal, action, stored);
  if (may === null) return;
  const messageId = action.path.split('/')[2];
  const shown = stored.messageById.get(messageId)?.selected_version_id;
  expect('selection_lost', may.includes(shown), `${messageId} shows ${shown}, chosen ${may.join(' or ')}`);
}

/** Checks that a reply ended as the answer to the stop said: in the store, for every reader, and in the payment. */
function checkStopped(expect, { journal, walletOf }, action, stored) {
  const { reply } = action.answer;
  if (!expect('stop_lost', stored.messageById.has(reply.id), reply.id)) return;
  expect('stop_unfinished', reply.status !== 'streaming');
  const version = stored.versionById.get(reply.versionId);
  // A version without text is deleted when another has text.
  if (version === undefined) expect('stopped_text', reply.content === '', 'its version is missing');
  else {
    const [answered, saved] = [
      [reply.content, reply.status, reply.errorCode],
      [version.content, version.status, version.error_code],
    ].map((one) => JSON.stringify(one));
    expect('stopped_text', answered === saved, `answered ${answered}, stored ${saved}`);
  }
  const row = stored.turns.find(({ version_id: id }) => id === reply.versionId);
  if (row === undefined) return;
  const added = reply.content.slice(row.base_length);
  // If the stop restored an older version, a crash may have removed the end of that.
  const turn = journal.turns.find(({ id }) => id === row.id && row.error_code !== 'reply_interrupted');
  for (const { from, text } of turn?.streams.flatMap(({ parts }) => parts) ?? [])
    expect('text_after_stop', from + text.length <= added.length, `${from + text.length} of ${added.length}`);
  const state = walletOf.get(row.payer_id)?.reservations.find(({ id }) => id === reply.versionId)?.state;
  const isOwed = row.error_code === null && added.trim() !== '';
  expect('stop_paid', (state === 'settled') === isOwed, `${added.length} characters, ${state}`);
}

/** Checks that the title is the last confirmed one, or one whose rename has an unknown outcome. */
function checkTitles({ journal, expect, conversations, erasing }) {
  const renames = journal.actions.filter(({ kind, outcome }) => kind === 'rename' && outcome !== 'refused');
  for (const [id, stored] of conversations) {
    if (erasing.has(id)) continue;
    const own = renames.filter(({ chat }) => chat === id);
    const lastBegun = Math.max(...own.filter(({ outcome }) => outcome === 'acked').map(({ at }) => at), 0);
    if (lastBegun === 0) continue;
    const { title } = stored.meta;
    const isConfirmed = own.some(
      ({ outcome, ended, body }) => (outcome === 'unknown' || ended >= lastBegun) && body.title === title,
    );
    expect('title_lost', isConfirmed, `${id}: ${title}`);
  }
}
