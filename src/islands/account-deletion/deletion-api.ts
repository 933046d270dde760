import type { DeletionConfirmResponse } from '../../features/account/deletion/deletion-contract.ts';
import { client, readJson, type Client, type Result } from '../shared/api.ts';

/** The calls that end an account. Tests put their own in its place. */
export interface DeletionApi {
  /** Has a link sent to the account's own address. */
  request(email: string): Promise<Result<{ sent: true; expires_in: number }>>;
  /** Deletes the account, with the token of the link. */
  confirm(token: string): Promise<Result<DeletionConfirmResponse>>;
}

export function createDeletionApi({ account }: Client): DeletionApi {
  return {
    request: (email) => readJson(account['delete-request'].$post({ json: { email } })),
    confirm: (token) => readJson(account['delete-confirm'].$post({ json: { token } })),
  };
}

/** The calls of a page. */
export const deletionApi: DeletionApi = createDeletionApi(client);
