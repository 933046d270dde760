import type { RuntimeConfig } from '../runtime-config/contract.ts';
import { listDistinctFreeTags, normalizeFreeTag } from './free-tags.ts';

/** What the operator decided about free tags. */
export interface FreeTagRules {
  /** Tags that cannot be added, and that no page shows. */
  blocked: ReadonlySet<string>;
  /** Tags that mean the same as another one, which replaces them. */
  merges: ReadonlyMap<string, string>;
}

type StoredRules = Pick<RuntimeConfig, 'blocked_tags' | 'merged_tags'>;

const splitList = (text: string): string[] => text.split(',').filter((item) => item.trim() !== '');

/** Parses the rules: `gore, spam` and `sci fi > sci-fi, scifi > sci-fi`. */
export function parseFreeTagRules({ blocked_tags, merged_tags }: StoredRules): FreeTagRules {
  const merges = splitList(merged_tags).flatMap((item): [string, string][] => {
    const [from = '', to = ''] = item.split('>').map(normalizeFreeTag);
    return from === '' || to === '' || from === to ? [] : [[from, to]];
  });
  return { blocked: new Set(splitList(blocked_tags).map(normalizeFreeTag)), merges: new Map(merges) };
}

/** Replaces merged tags. A merge is not followed to a second one, so that two of them cannot run in a circle. */
export const applyMerges = (tags: readonly string[], { merges }: FreeTagRules): string[] =>
  listDistinctFreeTags(tags.map((tag) => merges.get(tag) ?? tag));

/** Returns the tags that a page may show. */
export const hideBlockedTags = (tags: readonly string[], rules: FreeTagRules): string[] =>
  applyMerges(tags, rules).filter((tag) => !rules.blocked.has(tag));
