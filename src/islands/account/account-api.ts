import type { AccountChange, OwnAccount, SessionList } from '../../features/account/contract.ts';
import type { Invites } from '../../features/account/invite-contract.ts';
import type { LedgerPage, PointsStatus } from '../../features/wallet/contract.ts';
import type { UploadedPicture } from '../../features/picture/contract.ts';
import { client, type Client, readJson, checkOk, encodePathPart, type Result } from '../shared/api.ts';
import { type UploadOptions, sendPicture } from '../shared/send-form.ts';

/** API calls of the account page; tests pass their own. */
export interface AccountPageApi {
  account(): Promise<Result<OwnAccount>>;
  change(change: AccountChange): Promise<Result<OwnAccount>>;
  sendPicture(picture: Blob, sending: UploadOptions): Promise<Result<UploadedPicture>>;
  points(): Promise<Result<PointsStatus>>;
  /** The newest entries, or those after a page's cursor. */
  ledger(cursor?: string): Promise<Result<LedgerPage>>;
  invites(): Promise<Result<Invites>>;
  makeInviteCode(): Promise<Result<Invites>>;
  sessions(): Promise<Result<SessionList>>;
  endSession(id: string): Promise<Result<null>>;
  endOtherSessions(): Promise<Result<null>>;
}

/** Ledger entries per request. */
const LEDGER_PAGE_SIZE = 20;

export function createAccountPageApi({ account, points, invites }: Client): AccountPageApi {
  return {
    account: () => readJson(account.$get()),
    change: (change) => readJson(account.$patch({ json: change })),
    sendPicture,
    points: () => readJson(points.$get()),
    ledger: (cursor) =>
      readJson(
        points.ledger.$get({ query: { limit: String(LEDGER_PAGE_SIZE), ...(cursor ? { cursor } : {}) } }),
      ),
    invites: () => readJson(invites.$get()),
    makeInviteCode: () => readJson(invites.$post()),
    sessions: () => readJson(account.sessions.$get()),
    endSession: (id) => checkOk(account.sessions[':id'].$delete({ param: { id: encodePathPart(id) } })),
    endOtherSessions: () => checkOk(account.sessions.$delete()),
  };
}

export const accountPageApi: AccountPageApi = createAccountPageApi(client);
