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

/**
 * Sorts chats into their age groups.
 * @param chats in display order, which is kept within each group
 * @param now milliseconds since the epoch
 * @returns the groups that are not empty, newest first
 */
export function groupByAge<Chat extends { last_message_time: string }>(
  chats: readonly Chat[],
  now: number,
): { group: AgeGroup; chats: Chat[] }[] {
  return AGE_GROUPS.map((group) => ({
    group,
    chats: chats.filter((chat) => getAgeGroup(chat.last_message_time, now) === group),
  })).filter(({ chats: chatsInGroup }) => chatsInGroup.length > 0);
}
