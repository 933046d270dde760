import { DOWNLOADS } from '../../wallet/limits.ts';
import { TRASH } from '../../character/limits.ts';
import { joinPieces } from '../../../lib/text-stream.ts';
import { withCarriedMetadata } from './chat-file-fit.ts';
import { chatFileText } from './chat-file-write.ts';
import { chatHtml, type ChatPageWords } from './chat-html.ts';
import { chatJson } from './chat-json.ts';
import type { MessageRecord, TrashedRecord } from './chat-record.ts';
import { headerOf } from '../conversation-copy.ts';
import type { ConversationStore, Meta } from '../conversation-store.ts';
import type { MemoryStore } from '../memory/memory-store.ts';
import type { MessageRecords } from '../messages/message-records-store.ts';
import type { TurnStore } from '../turn/turn-store.ts';

/** How a whole chat is told to its person; the page needs its words, and the moment that it is saved at. */
export type WholeChatWish =
  | { format: 'jsonl' }
  | { format: 'json' }
  | { format: 'html'; words: ChatPageWords; now: number };

interface Sources {
  store: ConversationStore;
  records: MessageRecords;
  memory: MemoryStore;
  turns: TurnStore;
}

/**
 * Everything that a conversation holds, wherever it lies, as text in pieces that are made while they are read. What is
 * said meanwhile may be in it or not; a message that is deleted while its page is the last one read breaks it off.
 */
export function wholeChat(
  { store, records, memory, turns }: Sources,
  wish: WholeChatWish,
): AsyncGenerator<string> {
  const meta = store.meta() as Meta;
  const pages = pagesOf(records);
  const beside = { notes: memory.kept(), asked: turns.keptAsks() };
  if (wish.format === 'json') return joinPieces(chatJson(meta, beside, pages, trashedOf(records)));
  const header = withCarriedMetadata(headerOf(meta), records.page(null, null, 0)?.records[0]);
  if (wish.format === 'jsonl') return chatFileText(header, pages);
  const page = {
    header,
    persona: meta.persona,
    ...beside,
    keptUntil: meta.deletedAt === null ? null : meta.deletedAt + TRASH.keptMs,
    now: wish.now,
  };
  return joinPieces(chatHtml(page, pages, trashedOf(records), wish.words));
}

async function* pagesOf(records: MessageRecords): AsyncGenerator<MessageRecord[]> {
  let after: string | null = null;
  do {
    const page: ReturnType<MessageRecords['page']> = records.page(after, null, DOWNLOADS.chatRoom);
    if (page === null) throw new Error('the page before was deleted');
    yield page.records;
    after = page.next;
  } while (after !== null);
}

async function* trashedOf(records: MessageRecords): AsyncGenerator<TrashedRecord[]> {
  let after: number | null = 0;
  while (after !== null) {
    const page: ReturnType<MessageRecords['trashed']> = records.trashed(after, DOWNLOADS.chatRoom);
    yield page.records;
    after = page.next;
  }
}
