import type { Database } from '../db/open.ts';
import { applyMerges, type FreeTagRules, parseFreeTagRules } from '../features/character/free-tag-rules.ts';
import { mergeFreeTags, updateFreeTagCounts } from '../features/character/free-tag-store.ts';
import { readRuntimeConfig } from '../features/runtime-config/runtime-config-gateway.ts';
import { refuse, type Result, succeed } from './context.ts';

/** Reads the operator's rules about free tags. */
export const readFreeTagRules = async (env: Pick<Env, 'KV'>): Promise<FreeTagRules> =>
  parseFreeTagRules(await readRuntimeConfig(env));

/** Applies the operator's rules to the free tags of a character: merged tags are replaced, blocked ones refused. */
export async function applyFreeTagRules(
  env: Pick<Env, 'KV'>,
  tags: readonly string[],
): Promise<Result<string[], 'invalid_input'>> {
  if (tags.length === 0) return succeed([]);
  const rules = await readFreeTagRules(env);
  const merged = applyMerges(tags, rules);
  const blocked = merged.filter((tag) => rules.blocked.has(tag));
  if (blocked.length === 0) return succeed(merged);
  return refuse('invalid_input', { fields: { free_tags: [`Not allowed here: ${blocked.join(', ')}`] } });
}

/** Applies new merges to stored tags, and counts the tags whose characters changed. */
export async function updateFreeTags(env: Pick<Env, 'KV'>, db: Database): Promise<void> {
  await mergeFreeTags(db, await readFreeTagRules(env));
  await updateFreeTagCounts(db);
}
