import type { CrisisKind } from '../../safety/decisions.ts';
import { type Helpline, getHelplines } from '../../safety/helplines.ts';
import type { RefusalRule } from '../../safety/moderation.ts';
import type { MessageSafety } from './safety-contract.ts';

/** A message showed that its author may need help. Country and language choose the helplines. */
export interface Crisis {
  kind: CrisisKind;
  /** ISO 3166-1 alpha-2; null when unknown. */
  country: string | null;
  lang: string;
}

/**
 * For how many user messages a crisis stays open, including the one that showed it. A later message such as "yes, I mean
 * it" shows none by itself.
 */
export const CRISIS_WINDOW_MESSAGES = 5;

/** The user's country, if known, and language, to choose helplines. */
export interface UserRegion {
  country: string | null;
  lang: string;
}

export function getCrisisHelp({ country, lang }: UserRegion): Extract<MessageSafety, { kind: 'crisis' }> {
  return { kind: 'crisis', helplines: getHelplines(country, lang) };
}

/** Returns helplines for a reply that was refused because it urged the user to hurt themself. */
export const getRefusalHelp = (rule: RefusalRule, where: UserRegion | null): { helplines?: Helpline[] } =>
  rule === 'urging' && where !== null ? { helplines: getCrisisHelp(where).helplines } : {};

/** The UTC day, in days since the epoch. Crises are counted by day and kind only. */
export const getUtcDay = (at: number): number => Math.floor(at / 86_400_000);
