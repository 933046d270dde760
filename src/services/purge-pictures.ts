import type { Database } from '../db/open.ts';
import { deleteExpiredPictures, expireUnusedPictures } from '../features/picture/picture-store.ts';

/** Takes pictures away that were given up: first their bytes, so that what fails is known to be there still. */
export async function deleteAbandonedPictures(
  env: Pick<Env, 'MEDIA'>,
  db: Database,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await env.MEDIA.delete([...keys]);
  await deleteExpiredPictures(db, keys);
}

/** Takes pictures away that nothing shows; run by cron, and harmless to repeat. */
export async function purgeUnusedPictures(env: Pick<Env, 'MEDIA'>, db: Database, now: number): Promise<void> {
  await deleteAbandonedPictures(env, db, await expireUnusedPictures(db, now));
}
