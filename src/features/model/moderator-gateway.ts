import { readEnvironment } from '../../env/read-environment.ts';
import { moderateText } from '../../vendors/moderation.ts';
import { moderate } from './model-gateway.ts';
import { type Moderator, moderatorBy } from '../safety/moderator.ts';

/** The rules and, where the operator configured one, a moderation model, which is as one that is down once it cost too much. */
export function moderatorOf(env: Env): Moderator {
  const { moderation } = readEnvironment(env);
  if (moderation === undefined) return moderatorBy(null);
  return moderatorBy((text, signal) => moderate(env, text, () => moderateText(moderation, text, signal)));
}
