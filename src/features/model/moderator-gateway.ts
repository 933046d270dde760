import { readEnvironment } from '../../env/read-environment.ts';
import { moderateText } from '../../vendors/moderation.ts';
import { moderate } from './model-gateway.ts';
import { type Moderator, createModerator } from '../safety/moderation.ts';

/**
 * Creates the moderator of the site: the rules, plus a moderation model if one is configured. A model over budget counts
 * as not answering.
 */
export function createSiteModerator(env: Env): Moderator {
  const { moderation } = readEnvironment(env);
  if (moderation === undefined) return createModerator(null);
  return createModerator((text, signal) => moderate(env, text, () => moderateText(moderation, text, signal)));
}
