import { type Tag, TAGS } from '../../features/character/limits.ts';
import type { Translate } from '../../locales/i18n.ts';

/** Names of the tags in the page's language, for an island. */
export const getTagNames = (t: Translate): Record<Tag, string> =>
  Object.fromEntries(TAGS.map((tag) => [tag, t(`common:tag.${tag}`)])) as Record<Tag, string>;
