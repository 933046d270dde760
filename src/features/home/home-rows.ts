import type { ChatList } from '../conversation/contract.ts';
import { buildChatLink } from '../conversation/conversation-link.ts';

/** Recent chats on the home page, besides the one to continue. */
export const RECENT_CHATS = 6;

/** Limit of each text on the device, in UTF-16 units. With at most `CHAT_LIST.maxItems` chats, this bounds the copy. */
const MAX_TEXT_UNITS = 200;

/** A chat on the home page: address, picture, character's name, last line, time of the last message. */
export type HomeRow = readonly string[];

export const truncateText = (text: string) => text.slice(0, MAX_TEXT_UNITS);

/** The newest chats as the home page shows them. */
export const toHomeRows = (chats: ChatList['chats']): HomeRow[] =>
  chats
    .slice(0, 1 + RECENT_CHATS)
    .map((chat) => [
      buildChatLink(chat),
      chat.avatar_url,
      truncateText(chat.character_name),
      truncateText(chat.last_line),
      chat.last_message_time,
    ]);
