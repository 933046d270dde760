import type { Database } from '../db/open.ts';
import { getAllPictureKeys } from '../features/picture/list-picture.ts';
import {
  deleteExpiredPictures,
  expirePictures,
  expireUnusedPictures,
} from '../features/picture/picture-store.ts';

/** R2's limit. */
const MAX_DELETED_PER_CALL = 1000;

/** Deletes abandoned pictures: the bytes first, so that after a failure the row still refers to them. */
export async function deleteAbandonedPictures(
  env: Pick<Env, 'MEDIA'>,
  db: Database,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  const objects = keys.flatMap(getAllPictureKeys);
  for (let from = 0; from < objects.length; from += MAX_DELETED_PER_CALL)
    await env.MEDIA.delete(objects.slice(from, from + MAX_DELETED_PER_CALL));
  await deleteExpiredPictures(db, keys);
}

/** Deletes pictures that nothing uses. Run by cron; safe to repeat. */
export async function purgeUnusedPictures(env: Pick<Env, 'MEDIA'>, db: Database, now: number): Promise<void> {
  await deleteAbandonedPictures(env, db, await expireUnusedPictures(db, now));
}

/** Deletes a picture that its last user left behind, unless something else uses it. */
export async function deletePictureIfUnused(
  env: Pick<Env, 'MEDIA'>,
  db: Database,
  key: string,
): Promise<void> {
  await deleteAbandonedPictures(env, db, await expirePictures(db, [key]));
}
