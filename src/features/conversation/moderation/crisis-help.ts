import type { CrisisKind } from '../../safety/decisions.ts';
import { type Helpline, helplinesFor } from '../../safety/helplines.ts';
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
export const CRISIS_MINDED = 5;

/** Where somebody is, as far as it is known: the helplines of a country are of use there. */
export interface Whereabouts {
  country: string | null;
  lang: string;
}

export function helpIn({ country, lang }: Whereabouts): Extract<MessageSafety, { kind: 'crisis' }> {
  return { kind: 'crisis', helplines: helplinesFor(country, lang) };
}

/** The helplines beside a reply that was refused, where it urged its reader to hurt themself. */
export const helpBesideRefusal = (
  rule: RefusalRule,
  where: Whereabouts | null,
): { helplines?: Helpline[] } =>
  rule === 'urging' && where !== null ? { helplines: helpIn(where).helplines } : {};

/** Crises of a day (UTC, days since the epoch) are counted by their kind, and by nothing else. */
export const dayOf = (at: number): number => Math.floor(at / 86_400_000);
