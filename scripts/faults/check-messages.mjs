// No accepted message lost, none twice, none kept that was refused; and every conversation whole in itself.

/** @param turn as the journal has it; whether everybody was told that nothing came of it */
export const wasRefused = ({ outcomes }) =>
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
