import type { MessageRecord, TrashedRecord } from './chat-record.ts';
import type { Meta } from '../conversation-store.ts';
import type { KeptNote } from '../memory/memory-store.ts';
import { personName } from '../conversation-names.ts';
import type { KeptAsk } from '../turn/turn-store.ts';

const time = (at: number): string => new Date(at).toISOString();

/** A message with everything that is kept of it, as JSON. */
function messageJson(message: MessageRecord | TrashedRecord): string {
  return JSON.stringify({
    id: message.id,
    role: message.role,
    ...(message.name === null ? {} : { name: message.name }),
    created_at: time(message.createdAt),
    pinned: message.pinned,
    ...('deletedAt' in message
      ? { deleted_at: time(message.deletedAt), expires_at: time(message.expiresAt) }
      : {}),
    selected_version_id: message.versions[message.selected]?.id,
    versions: message.versions.map((version) => ({
      id: version.id,
      content: version.content,
      model: version.model,
      ai_generated: version.model !== null,
      status: version.status,
      ...(version.errorCode === null ? {} : { error_code: version.errorCode }),
      ...(version.rule === undefined ? {} : { ended_by_rule: version.rule }),
      ...(version.crisis === undefined ? {} : { shown_help: version.crisis }),
      edited: version.edited,
      created_at: time(version.createdAt),
    })),
    ...(message.source === null ? {} : { source: message.source }),
  });
}

/**
 * A chat as a JSON object that its reader closes: every line is whole in itself, so that one that breaks off can be closed
 * behind any of them, with `]}`. Deleted messages that can still be had back stand at the end, marked.
 * @param pages messages in their order, some at a time
 */
export async function* chatJson(
  meta: Meta,
  { notes, asked }: { notes: readonly KeptNote[]; asked: readonly KeptAsk[] },
  pages: AsyncIterable<readonly MessageRecord[]>,
  trashed: AsyncIterable<readonly TrashedRecord[]>,
): AsyncGenerator<string> {
  const about = JSON.stringify({
    id: meta.id,
    title: meta.title,
    character: { id: meta.character.id, name: meta.character.name },
    user_name: personName(meta),
    persona: meta.persona,
    created_at: time(meta.createdAt),
    updated_at: time(meta.updatedAt),
    deleted_at: meta.deletedAt === null ? null : time(meta.deletedAt),
    memory: notes,
    suggested: asked.map((ask) => ({ ...ask, ai_generated: true })),
  });
  yield `${about.slice(0, -1)},"messages":[\n`;
  let comma = '';
  for (const source of [pages, trashed]) {
    for await (const messages of source) {
      for (const message of messages) {
        yield `${comma}${messageJson(message)}\n`;
        comma = ',';
      }
    }
  }
}
