// What people did to messages and conversations is there as it was confirmed to them, or something that came after it.

export function checkActs(world) {
  const { journal, erasing } = world;
  for (const act of journal.acts) if (act.outcome === 'acked' && !erasing.has(act.chat)) checkAct(world, act);
  checkTitles(world);
}

function checkAct(world, act) {
  const { see, conversations, journal } = world;
  const where = `${act.act} in ${act.chat} at ${act.at}`;
  if (act.act === 'fork') {
    const { id } = act.told.conversation;
    if (!world.erasing.has(id)) see('conversation_lost', conversations.has(id), `${where}: ${id}`);
    return;
  }
  const kept = conversations.get(act.chat);
  if (!see('conversation_lost', kept !== undefined, where)) return;
  const messageId = act.path?.split('/')[2];
  if (act.act === 'edit') {
    const edited = kept.versions.some(
      (one) => one.message_id === messageId && one.content === act.body.content && one.edited === 1,
    );
    see('edit_lost', edited, `${where}: ${act.body.content}`);
  } else if (act.act === 'cut') {
    const back = journal.acts.some(
      (one) => one.act === 'restore' && one.path.includes(act.told.id) && one.outcome !== 'refused',
    );
    const item = kept.trash.find(({ id }) => id === act.told.id);
    if (back) return;
    see('deletion_lost', item?.message_count === act.told.message_count, `${where}: ${act.told.id}`);
    see('deletion_lost', kept.messageById.get(messageId)?.trash_id === act.told.id, `${where}: ${messageId}`);
  } else if (act.act === 'restore') {
    const trashId = messageId;
    see('restoration_lost', !kept.trash.some(({ id }) => id === trashId), `${where}: ${trashId}`);
    for (const id of act.told.message_ids)
      see('restoration_lost', kept.messageById.get(id)?.trash_id !== trashId, `${where}: ${id}`);
  } else if (act.act === 'select') {
    checkSelected(world, act, kept);
  } else if (act.act === 'stop' && act.told.reply !== undefined && act.told.reply !== null) {
    checkStopped(world, act, kept);
  }
}

/**
 * Whether an act may have been done after another was begun. What was answered, be it with an error, was done by then; of
 * what nobody waited for any more it is not known.
 */
const mayFollow = (later, act) =>
  later.outcome !== 'refused' && (later.ended >= act.at || later.code === 'TimeoutError');

/** The versions that may show after one was chosen; null where something else was done to the message since. */
export function versionsChosen(journal, act, kept) {
  const messageId = act.path.split('/')[2];
  const later = journal.acts.filter(
    (one) =>
      one !== act && one.chat === act.chat && one.path?.split('/')[2] === messageId && mayFollow(one, act),
  );
  const isOver =
    later.some((one) => one.act === 'edit') ||
    // A turn that writes the message shows its own version of it, or gives back the one before.
    journal.turns.some(
      ({ id, ended }) =>
        (ended === null || ended >= act.at) &&
        kept.turns.some((row) => row.id === id && row.reply_id === messageId),
    );
  const chosen = [act, ...later.filter((one) => one.act === 'select')];
  return isOver ? null : chosen.map(({ body }) => body.version_id);
}

function checkSelected({ see, journal }, act, kept) {
  const may = versionsChosen(journal, act, kept);
  if (may === null) return;
  const messageId = act.path.split('/')[2];
  const shown = kept.messageById.get(messageId)?.selected_version_id;
  see(
    'selection_lost',
    may.includes(shown),
    `select in ${act.chat} at ${act.at}: ${messageId} shows ${shown}, chosen ${may.join(' or ')}`,
  );
}

/**
 * What a stop was answered with is how the reply ended: it stands there so, no reader was told any more of it, and it was
 * paid for just if there is text.
 */
function checkStopped({ see, journal, walletOf }, act, kept) {
  const { reply } = act.told;
  const where = `stop in ${act.chat} at ${act.at}: version ${reply.versionId}`;
  if (!see('stop_lost', kept.messageById.has(reply.id), `${where}: ${reply.id}`)) return;
  see('stopped_on', reply.status !== 'streaming', where);
  const version = kept.versionById.get(reply.versionId);
  // What has no text does not outlive what has some.
  if (version === undefined) see('stopped_text', reply.content === '', `${where} is gone`);
  else
    see(
      'stopped_text',
      version.content === reply.content &&
        version.status === reply.status &&
        version.error_code === reply.errorCode,
      () =>
        `${where}: told ${JSON.stringify([reply.content, reply.status, reply.errorCode])}, kept ${JSON.stringify([version.content, version.status, version.error_code])}`,
    );
  const row = kept.turns.find(({ version_id: id }) => id === reply.versionId);
  if (row === undefined) return;
  const added = reply.content.slice(row.base_length);
  // Where the stop left an older version standing, a crash may have had the end of that.
  for (const turn of row.error_code === 'reply_interrupted' ? [] : journal.turns) {
    if (turn.id !== row.id) continue;
    for (const { parts } of turn.streams)
      for (const { from, text } of parts)
        see(
          'told_after_stop',
          from + text.length <= added.length,
          `${where}: ${from + text.length} of ${added.length}`,
        );
  }
  const state = walletOf.get(row.payer_id)?.reservations.find(({ id }) => id === reply.versionId)?.state;
  const isOwed = row.error_code === null && added.trim() !== '';
  see('stop_paid', (state === 'settled') === isOwed, `${where}: ${added.length} characters, ${state}`);
}

/** The title is the last that was taken, or one that nobody knows about. */
function checkTitles({ journal, see, conversations, erasing }) {
  const renames = journal.acts.filter(({ act, outcome }) => act === 'rename' && outcome !== 'refused');
  for (const [id, kept] of conversations) {
    if (erasing.has(id)) continue;
    const own = renames.filter(({ chat }) => chat === id);
    const lastBegun = Math.max(...own.filter(({ outcome }) => outcome === 'acked').map(({ at }) => at), 0);
    if (lastBegun === 0) continue;
    const may = own.filter(({ outcome, ended }) => outcome === 'unknown' || ended >= lastBegun);
    see(
      'title_lost',
      may.some(({ body }) => body.title === kept.meta.title),
      `${id}: ${kept.meta.title}`,
    );
  }
}
