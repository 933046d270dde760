// No accepted message lost, none twice, none kept that was refused, and what a person did to messages is there.

/** @param turn as the journal has it; whether everybody was told that nothing came of it */
const wasRefused = ({ outcomes }) =>
  outcomes.length > 0 &&
  outcomes.every((one) => one.startsWith('refused') && !one.endsWith('message_deleted'));

export function checkMessages(world) {
  const { journal, see, conversations, erasing } = world;
  for (const turn of journal.turns) {
    if (erasing.has(turn.chat)) continue;
    const kept = conversations.get(turn.chat);
    if (kept === undefined) {
      see('conversation_lost', turn.accepted === null, `${turn.chat}, in which ${turn.id} was accepted`);
      continue;
    }
    checkTurn(see, turn, kept);
  }
  for (const kept of conversations.values()) checkShape(see, kept);
  for (const act of journal.acts) if (act.outcome === 'acked' && !erasing.has(act.chat)) checkAct(world, act);
  checkTitles(world);
}

function checkTurn(see, turn, kept) {
  const sent = kept.messages.filter((message) => message.client_message_id === turn.id);
  const row = kept.turns.find(({ id }) => id === turn.id);
  const where = `turn ${turn.id} (${turn.kind}) in ${turn.chat}`;
  see('message_doubled', sent.length <= 1, `${where}: ${sent.length} messages`);
  if (turn.accepted !== null) {
    see('turn_lost', row !== undefined, where);
    see('reply_lost', kept.messageById.has(turn.accepted.replyId), `${where}: ${turn.accepted.replyId}`);
    if (turn.kind === 'send') {
      see('message_lost', sent.length === 1 && sent[0].id === turn.accepted.userMessageId, where);
      const first = kept.versions.find(({ message_id: id }) => id === sent[0]?.id);
      see('message_changed', sent.length === 0 || first?.content === turn.content, where);
    }
  } else if (wasRefused(turn)) {
    see('refused_turn_kept', row === undefined && sent.length === 0, `${where}: ${turn.outcomes.join(', ')}`);
  }
}

/** What is true of every conversation, whatever was done in it. */
function checkShape(see, kept) {
  const { meta, messages, messageById, versionById, versions, turns, trash } = kept;
  const where = meta.id;
  const clientIds = messages.map(({ client_message_id: id }) => id).filter((id) => id !== null);
  see('message_doubled', new Set(clientIds).size === clientIds.length, where);
  for (const message of messages) {
    see(
      'version_lost',
      versionById.get(message.selected_version_id)?.message_id === message.id,
      `${where}: ${message.id}`,
    );
    if (message.client_message_id !== null)
      see(
        'turn_lost',
        turns.some(({ id }) => id === message.client_message_id),
        `${where}: of message ${message.id}`,
      );
    if (message.trash_id !== null)
      see(
        'deletion_lost',
        trash.some(({ id }) => id === message.trash_id),
        `${where}: of message ${message.id}`,
      );
  }
  for (const version of versions) {
    see('version_without_message', messageById.has(version.message_id), `${where}: ${version.id}`);
    see('reply_unfinished', version.status !== 'streaming', `${where}: ${version.id}`);
  }
  for (const turn of turns) {
    const [sent, reply] = [messageById.get(turn.user_message_id), messageById.get(turn.reply_id)];
    see('reply_lost', reply !== undefined, `${where}: of turn ${turn.id}`);
    if (turn.kind !== 'send') continue;
    see('message_lost', sent?.client_message_id === turn.id, `${where}: of turn ${turn.id}`);
    see(
      'pair_torn',
      sent === undefined || reply?.position === sent.position + 1,
      `${where}: turn ${turn.id}`,
    );
  }
  for (const { id, message_count: count } of trash)
    see(
      'deletion_count',
      messages.filter(({ trash_id: of }) => of === id).length === count,
      `${where}: ${id}`,
    );
  const there = messages.filter(({ trash_id: id }) => id === null).length;
  see('message_count', meta.message_count === there, `${where}: says ${meta.message_count}, has ${there}`);
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
  } else if (act.act === 'stop' && act.told.reply !== undefined && act.told.reply !== null) {
    see('stop_lost', kept.messageById.has(act.told.reply.id), `${where}: ${act.told.reply.id}`);
  }
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
