import { Hono } from 'hono';
import { emptiedTrash, storageView } from '../../../features/storage/contract.ts';
import { describeStorage, getStorageLimit } from '../../../features/storage/storage.ts';
import { readStorageTotals } from '../../../features/storage/storage-store.ts';
import { eraseTrash } from '../../../services/storage/empty-trash.ts';
import { type ApiEnv, toServiceContext } from '../../middleware/context.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';

/** What the user stores, and emptying the trash. Guests too: they have chats. */
export const storage = new Hono<ApiEnv>()
  .get('/storage', describeResponses('Get what the user stores', { 200: storageView }), async (c) => {
    const { user } = await requireCaller(c);
    return c.json(describeStorage(await readStorageTotals(c.get('db'), user.id), getStorageLimit(user)));
  })
  .delete(
    '/trash',
    describeResponses('Erase what is in the trash, up to 50 items per call; it cannot be restored', {
      200: emptiedTrash,
    }),
    async (c) => {
      const { user } = await requireCaller(c);
      return c.json(await eraseTrash(toServiceContext(c), user.id));
    },
  );
