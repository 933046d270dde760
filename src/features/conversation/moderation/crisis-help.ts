import type { CrisisKind } from '../../safety/decisions.ts';
import { type Helpline, getHelplines } from '../../safety/helplines.ts';
import type { RefusalRule } from '../../safety/moderation.ts';
import type { MessageSafety } from './safety-contract.ts';

/** That a message showed that its person may need help, and whose helplines they were shown. */
export interface Crisis {
  kind: CrisisKind;
  /** ISO 3166-1 alpha-2; null where it is not known. */
  country: string | null;
  lang: string;
}

/** So many of the person's messages a crisis is minded for, the one that showed it among them: «yes, I mean it» shows none. */
export const CRISIS_WINDOW_MESSAGES = 5;

/** Where somebody is, as far as it is known: the helplines of a country are of use there. */
export interface UserRegion {
  country: string | null;
  lang: string;
}

export function getCrisisHelp({ country, lang }: UserRegion): Extract<MessageSafety, { kind: 'crisis' }> {
  return { kind: 'crisis', helplines: getHelplines(country, lang) };
}

/** The helplines beside a reply that was refused, where it urged its reader to hurt themself. */
export const getRefusalHelp = (rule: RefusalRule, where: UserRegion | null): { helplines?: Helpline[] } =>
  rule === 'urging' && where !== null ? { helplines: getCrisisHelp(where).helplines } : {};

/** Crises of a day (UTC, days since the epoch) are counted by their kind, and by nothing else. */
export const getUtcDay = (at: number): number => Math.floor(at / 86_400_000);
