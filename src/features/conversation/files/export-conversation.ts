import { DOWNLOADS } from '../../wallet/limits.ts';
import { TRASH } from '../../character/limits.ts';
import { joinPieces } from '../../../lib/text-stream.ts';
import { withCarriedMetadata } from './chat-file-import.ts';
import { renderChatFile } from './chat-file-write.ts';
import { renderChatHtml, type ChatPageLabels } from './chat-html.ts';
import { renderChatJson } from './chat-json.ts';
import type { MessageRecord, TrashedRecord } from './chat-record.ts';
import { toChatHeader } from '../conversation-copy.ts';
import type { ConversationStore, ConversationMeta } from '../conversation-store.ts';
import type { MemoryStore } from '../memory/memory-store.ts';
import type { ReplySettingsStore } from '../prompt/reply-settings-store.ts';
import type { MessageRecords } from '../messages/message-records-store.ts';
import type { TurnStore } from '../turn/turn-store.ts';

/** The format of an export; HTML needs its texts and the time of the download. */
export type ConversationExportOptions =
  | { format: 'jsonl' }
  | { format: 'json' }
  | { format: 'html'; words: ChatPageLabels; now: number };

interface Sources {
  store: ConversationStore;
  records: MessageRecords;
  memory: MemoryStore;
  turns: TurnStore;
  replySettings: ReplySettingsStore;
}

/**
 * Streams everything in a conversation, including the trash, as text generated while it is read. A message sent during
 * the export may or may not be in it. The export fails when the last message of a page is deleted before the next page is
 * read.
 */
export function streamConversation(
  { store, records, memory, turns, replySettings }: Sources,
  options: ConversationExportOptions,
): AsyncGenerator<string> {
  const meta = store.getMeta() as ConversationMeta;
  const pages = readPages(records);
  const extras = { notes: memory.exportNotes(), asked: turns.keptAsks() };
  const settings = replySettings.get();
  if (options.format === 'json')
    return joinPieces(renderChatJson(meta, { ...extras, settings }, pages, readTrashedPages(records)));
  const [first] = records.readPage(null, null, 0)?.records ?? [];
  const header = withCarriedMetadata(toChatHeader(meta, settings), first);
  if (options.format === 'jsonl') return renderChatFile(header, pages);
  const page = {
    header,
    persona: meta.persona,
    ...extras,
    keptUntil: meta.deletedAt === null ? null : meta.deletedAt + TRASH.retentionMs,
    now: options.now,
  };
  return joinPieces(renderChatHtml(page, pages, readTrashedPages(records), options.words));
}

async function* readPages(records: MessageRecords): AsyncGenerator<MessageRecord[]> {
  let after: string | null = null;
  do {
    const page: ReturnType<MessageRecords['readPage']> = records.readPage(
      after,
      null,
      DOWNLOADS.chatPageBytes,
    );
    if (page === null) throw new Error('the page before was deleted');
    yield page.records;
    after = page.next;
  } while (after !== null);
}

async function* readTrashedPages(records: MessageRecords): AsyncGenerator<TrashedRecord[]> {
  let after: number | null = 0;
  while (after !== null) {
    const page: ReturnType<MessageRecords['readTrashed']> = records.readTrashed(
      after,
      DOWNLOADS.chatPageBytes,
    );
    yield page.records;
    after = page.next;
  }
}
