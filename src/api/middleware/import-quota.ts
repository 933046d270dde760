import type { Context } from 'hono';
import { countImport } from '../../features/account/import-count-store.ts';
import { MAX_IMPORTS_PER_DAY } from '../../features/account/limits.ts';
import type { ApiEnv } from './context.ts';
import { getQuotaDay } from './network-quota.ts';
import { Problem } from './problems.ts';

/**
 * Counts a file that a user imports, before it is parsed: one that cannot be used costs as much as others. Also on when
 * RATE_LIMITS is off.
 * @throws Problem `too_many_imports`, with the seconds until the next day (UTC)
 */
export async function limitDailyImports(
  c: Context<ApiEnv>,
  ownerId: string,
  kind: 'file' | 'picture',
): Promise<void> {
  const { day, left } = getQuotaDay(Date.now());
  if (!(await countImport(c.get('db'), { ownerId, kind, day })))
    throw new Problem('too_many_imports', { limit: MAX_IMPORTS_PER_DAY }, left);
}
