import type { DeletionConfirmResponse } from '../../features/account/deletion/deletion-contract.ts';
import { recentLoginClient } from '../sign-in/recent-login.ts';
import { readJson, type Client, type Result } from '../shared/api.ts';

/** API calls of account deletion; tests pass their own. */
export interface DeletionApi {
  /** Emails a deletion link to the account's own address. */
  request(email: string): Promise<Result<{ sent: true; expires_in: number }>>;
  /** Deletes the account with the token from the link. */
  confirm(token: string): Promise<Result<DeletionConfirmResponse>>;
}

export function createDeletionApi({ account }: Client): DeletionApi {
  return {
    request: (email) => readJson(account['delete-request'].$post({ json: { email } })),
    confirm: (token) => readJson(account['delete-confirm'].$post({ json: { token } })),
  };
}

export const deletionApi: DeletionApi = createDeletionApi(recentLoginClient);
