import { getIdTime } from '../../lib/ids.ts';
import type { ListedConversation } from '../search/contract.ts';
import type { ConversationMeta } from './conversation-store.ts';
import { toPlainText } from '../markup/parse-markup.ts';
import { findTitle } from './title/find-title.ts';
import { MAX_LAST_LINE_CHARS } from './limits.ts';
import type { MessageStore } from './messages/message-store.ts';
import { getMacroNames, replaceMacros } from './macro-names.ts';

/** Builds what a user's list shows of a conversation. */
export function buildListRow(meta: ConversationMeta, messages: MessageStore): ListedConversation {
  const last = messages.findLastText();
  return {
    id: meta.id,
    characterId: meta.character.id,
    characterName: meta.character.name,
    avatarUrl: meta.character.avatar_url,
    title: findTitle(meta, messages),
    lastLine:
      last === null
        ? ''
        : toLine(
            toPlainText(replaceMacros(last.start, { ...getMacroNames(meta), at: last.createdAt }), true),
          ),
    // An imported chat has its own start; the list shows when it was added.
    createdAt: getIdTime(meta.id),
    lastMessageAt: meta.updatedAt,
    messageCount: meta.messageCount,
    branchOf: meta.branchOf,
    isUnread: meta.isUnread,
    deletedAt: meta.deletedAt,
  };
}

/** The beginning of a text on one line, cut after a word if there is one. Characters outside the basic plane stay whole. */
function toLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const chars = [...line];
  if (chars.length <= MAX_LAST_LINE_CHARS) return line;
  // The ellipsis takes the last place.
  const cut = chars.slice(0, MAX_LAST_LINE_CHARS - 1).join('');
  const end = cut.lastIndexOf(' ');
  return `${cut.slice(0, end > MAX_LAST_LINE_CHARS / 2 ? end : undefined).trimEnd()}…`;
}
