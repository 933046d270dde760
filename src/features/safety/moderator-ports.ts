import type { Environment } from '../../environment.ts';
import { moderateText } from '../../vendors/moderation.ts';
import { type Moderator, moderatorBy } from './moderator.ts';

/** The rules and, where the operator configured one, a moderation model. */
export function moderatorOf({ moderation }: Pick<Environment, 'moderation'>): Moderator {
  if (moderation === undefined) return moderatorBy(null);
  return moderatorBy((text, signal) => moderateText(moderation, text, signal));
}
