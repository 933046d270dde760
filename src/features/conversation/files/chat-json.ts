import type { MessageRecord, TrashedRecord } from './chat-record.ts';
import type { ConversationMeta } from '../conversation-store.ts';
import type { ReplySettings } from '../prompt/reply-settings-contract.ts';
import type { ExportedNote } from '../memory/memory-store.ts';
import { getMacroNames, getPersonName, type MacroValues, replaceMacros } from '../macro-names.ts';
import type { KeptAsk } from '../turn/turn-store.ts';

const formatTime = (at: number): string => new Date(at).toISOString();

/** Formats a message with all its versions as JSON, with the texts as the chat shows them. */
function formatMessage(message: MessageRecord | TrashedRecord, names: MacroValues): string {
  return JSON.stringify({
    id: message.id,
    role: message.role,
    ...(message.name === null ? {} : { name: message.name }),
    created_at: formatTime(message.createdAt),
    pinned: message.pinned,
    ...('deletedAt' in message
      ? { deleted_at: formatTime(message.deletedAt), expires_at: formatTime(message.expiresAt) }
      : {}),
    selected_version_id: message.versions[message.selected]?.id,
    versions: message.versions.map((version) => ({
      id: version.id,
      content: replaceMacros(version.content, { ...names, at: message.createdAt }),
      model: version.model,
      ai_generated: version.model !== null,
      ...(version.thinking === undefined ? {} : { thinking: version.thinking }),
      ...(version.regenerateNote === undefined ? {} : { regenerate_note: version.regenerateNote }),
      ...(version.rating === undefined ? {} : { rating: version.rating }),
      status: version.status,
      ...(version.errorCode === null ? {} : { error_code: version.errorCode }),
      ...(version.rule === undefined ? {} : { ended_by_rule: version.rule }),
      ...(version.crisis === undefined ? {} : { shown_help: version.crisis }),
      edited: version.edited,
      created_at: formatTime(version.createdAt),
    })),
    ...(message.source === null ? {} : { source: message.source }),
  });
}

/**
 * Renders a chat as a JSON object that the caller closes with `]}`. Every line is complete, so that an aborted export can
 * be closed after any line. Deleted messages that can still be restored come last, marked with their times.
 * @param pages messages in order, one page at a time
 */
export async function* renderChatJson(
  meta: ConversationMeta,
  {
    notes,
    asked,
    settings,
  }: { notes: readonly ExportedNote[]; asked: readonly KeptAsk[]; settings: ReplySettings },
  pages: AsyncIterable<readonly MessageRecord[]>,
  trashed: AsyncIterable<readonly TrashedRecord[]>,
): AsyncGenerator<string> {
  const header = JSON.stringify({
    id: meta.id,
    title: meta.title,
    character: { id: meta.character.id, name: meta.character.name },
    user_name: getPersonName(meta),
    persona: meta.persona,
    created_at: formatTime(meta.createdAt),
    updated_at: formatTime(meta.updatedAt),
    deleted_at: meta.deletedAt === null ? null : formatTime(meta.deletedAt),
    reply_settings: settings,
    memory: notes,
    suggested: asked.map((ask) => ({ ...ask, ai_generated: true })),
  });
  yield `${header.slice(0, -1)},"messages":[\n`;
  const names = getMacroNames(meta);
  let comma = '';
  for (const source of [pages, trashed]) {
    for await (const messages of source) {
      for (const message of messages) {
        yield `${comma}${formatMessage(message, names)}\n`;
        comma = ',';
      }
    }
  }
}
