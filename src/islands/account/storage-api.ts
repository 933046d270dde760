import type { EmptiedTrash, StorageView } from '../../features/storage/contract.ts';
import { client, readJson, type Result } from '../shared/api.ts';

export const fetchStorage = (): Promise<Result<StorageView>> => readJson(client.account.storage.$get());

/**
 * Empties the trash, one limited call after the other.
 * @param emptyOnce the call; tests pass their own
 * @returns false when something is left: a call failed, or erased nothing although there is more
 */
export async function eraseTrash(
  emptyOnce: () => Promise<Result<EmptiedTrash>> = () => readJson(client.account.trash.$delete()),
): Promise<boolean> {
  for (;;) {
    const answer = await emptyOnce();
    if (!answer.ok) return false;
    if (!answer.data.has_more) return true;
    if (answer.data.erased === 0) return false;
  }
}
