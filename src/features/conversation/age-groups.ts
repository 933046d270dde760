import { CHAT_LIST } from './limits.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export const AGE_GROUPS = ['today', 'yesterday', 'week', 'older'] as const;
export type AgeGroup = (typeof AGE_GROUPS)[number];

/**
 * Returns the age group of a chat history entry.
 *
 * Groups go by elapsed time, not by the calendar: under 1 day, under 2 days, under 7 days, everything else. A time in the
 * future (the device's clock is behind) counts as new; an unreadable time counts as old.
 * @param time UTC ISO 8601
 * @param now milliseconds since the epoch
 */
export function getAgeGroup(time: string, now: number): AgeGroup {
  const days = (now - Date.parse(time)) / DAY_MS;
  if (days < CHAT_LIST.todayUnderDays) return 'today';
  if (days < CHAT_LIST.yesterdayUnderDays) return 'yesterday';
  if (days < CHAT_LIST.weekUnderDays) return 'week';
  return 'older';
}

/** The chats with one character, newest first. */
export type CharacterChats<Chat> = [Chat, ...Chat[]];

/**
 * Groups chats by their character, and the characters by the age of their newest chat.
 * @param chats newest first
 * @param now milliseconds since the epoch
 * @returns the age groups that are not empty, newest first
 */
export function groupChats<Chat extends { character_id: string; last_message_time: string }>(
  chats: readonly Chat[],
  now: number,
): { group: AgeGroup; characters: CharacterChats<Chat>[] }[] {
  const byCharacter = new Map<string, CharacterChats<Chat>>();
  for (const chat of chats) {
    const known = byCharacter.get(chat.character_id);
    if (known === undefined) byCharacter.set(chat.character_id, [chat]);
    else known.push(chat);
  }
  const characters = [...byCharacter.values()];
  return AGE_GROUPS.map((group) => ({
    group,
    characters: characters.filter(([newest]) => getAgeGroup(newest.last_message_time, now) === group),
  })).filter((inGroup) => inGroup.characters.length > 0);
}

/**
 * Returns the chats with one character that are shown until the user asks for all.
 * @param openId the chat that is open; when it is among the others, all are shown
 */
export function selectShownChats<Chat extends { id: string }>(
  chats: readonly Chat[],
  openId: string | null,
): readonly Chat[] {
  const first = chats.slice(0, CHAT_LIST.shownPerCharacter);
  const isOpenHidden = chats.slice(first.length).some(({ id }) => id === openId);
  return isOpenHidden ? chats : first;
}
