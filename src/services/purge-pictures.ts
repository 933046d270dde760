import type { Database } from '../db/open.ts';
import { forgetGoing, giveUpUnused } from '../features/picture/picture-store.ts';

/** Takes pictures away that were given up: first their bytes, so that what fails is known to be there still. */
export async function removeGoing(
  env: Pick<Env, 'MEDIA'>,
  db: Database,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await env.MEDIA.delete([...keys]);
  await forgetGoing(db, keys);
}

/** Takes pictures away that nothing shows; run by cron, and harmless to repeat. */
export async function removeUnusedPictures(
  env: Pick<Env, 'MEDIA'>,
  db: Database,
  now: number,
): Promise<void> {
  await removeGoing(env, db, await giveUpUnused(db, now));
}
