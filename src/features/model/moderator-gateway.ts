import { readEnvironment } from '../../env/read-environment.ts';
import { moderateText } from '../../vendors/moderation.ts';
import { moderate } from './model-gateway.ts';
import { type Moderator, createModerator } from '../safety/moderator.ts';

/** The rules and, where the operator configured one, a moderation model, which is as one that is down once it cost too much. */
export function createSiteModerator(env: Env): Moderator {
  const { moderation } = readEnvironment(env);
  if (moderation === undefined) return createModerator(null);
  return createModerator((text, signal) => moderate(env, text, () => moderateText(moderation, text, signal)));
}
