import { CHAT_LIST } from './limits.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The four groups of the chat history, newest first. */
export const AGE_GROUPS = ['today', 'yesterday', 'week', 'older'] as const;
export type AgeGroup = (typeof AGE_GROUPS)[number];

/**
 * Tells in which group of the history something of a given age stands.
 *
 * Groups go by elapsed time, not by the calendar: under 1 day, under 2 days, under 7 days, everything else. A time that
 * lies ahead (the device's clock is behind) counts as new; one that cannot be read counts as old.
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
 * Sorts a list of chats into its age groups.
 *
 * @param chats in the order in which they are to be shown; that order stays within each group
 * @param now milliseconds since the epoch
 * @returns the groups that hold something, newest group first
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
