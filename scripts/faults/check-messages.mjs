// Checks that no accepted message is lost or doubled, that no refused one is stored, and that conversations are consistent.

/** Whether every answer to a turn was a refusal. */
export const wasRefused = ({ outcomes }) =>
  outcomes.length > 0 &&
  outcomes.every((one) => one.startsWith('refused') && !one.endsWith('message_deleted'));

export function checkMessages(context) {
  const { journal, expect, conversations, erasing } = context;
  for (const turn of journal.turns) {
    if (erasing.has(turn.chat)) continue;
    const stored = conversations.get(turn.chat);
    if (stored === undefined) {
      expect('conversation_lost', turn.accepted === null, `${turn.chat}, in which ${turn.id} was accepted`);
      continue;
    }
    checkTurn(expect.at(`turn ${turn.id} (${turn.kind}) in ${turn.chat}`), turn, stored);
  }
  for (const stored of conversations.values()) checkShape(expect.at(stored.meta.id), stored);
}

function checkTurn(expect, turn, stored) {
  const sent = stored.messages.filter((message) => message.client_message_id === turn.id);
  const row = stored.turns.find(({ id }) => id === turn.id);
  expect('message_doubled', sent.length <= 1, `${sent.length} messages`);
  if (turn.accepted !== null) {
    expect('turn_lost', row !== undefined);
    expect('reply_lost', stored.messageById.has(turn.accepted.replyId), turn.accepted.replyId);
    if (turn.kind === 'send') {
      expect('message_lost', sent.length === 1 && sent[0].id === turn.accepted.userMessageId);
      const first = stored.versions.find(({ message_id: id }) => id === sent[0]?.id);
      expect('message_changed', sent.length === 0 || first?.content === turn.content);
    }
  } else if (wasRefused(turn)) {
    expect('refused_turn_kept', row === undefined && sent.length === 0, turn.outcomes.join(', '));
  }
}

/** Checks what holds for every conversation. */
function checkShape(expect, stored) {
  const { meta, messages, messageById, versions, turns, trash } = stored;
  const clientIds = messages.map(({ client_message_id: id }) => id).filter((id) => id !== null);
  expect('message_doubled', new Set(clientIds).size === clientIds.length);
  const [turnIds, trashIds] = [turns, trash].map((rows) => new Set(rows.map(({ id }) => id)));
  for (const { id, client_message_id: turnId, trash_id: trashId } of messages) {
    expect('turn_lost', turnId === null || turnIds.has(turnId), `of message ${id}`);
    expect('deletion_lost', trashId === null || trashIds.has(trashId), `of message ${id}`);
  }
  for (const version of versions) {
    expect('version_without_message', messageById.has(version.message_id), version.id);
    expect('reply_unfinished', version.status !== 'streaming', version.id);
  }
  for (const turn of turns) {
    const [sent, reply] = [messageById.get(turn.user_message_id), messageById.get(turn.reply_id)];
    expect('reply_lost', reply !== undefined, `of turn ${turn.id}`);
    if (turn.kind !== 'send') continue;
    expect('message_lost', sent?.client_message_id === turn.id, `of turn ${turn.id}`);
    expect('pair_split', sent === undefined || reply?.position === sent.position + 1, `turn ${turn.id}`);
  }
  for (const { id, message_count: count } of trash)
    expect('deletion_count', messages.filter(({ trash_id: of }) => of === id).length === count, id);
  const there = messages.filter(({ trash_id: id }) => id === null).length;
  expect('message_count', meta.message_count === there, `says ${meta.message_count}, has ${there}`);
}
