import type { AccountChange, OwnAccount, SessionList } from '../../features/account/contract.ts';
import type { Invites } from '../../features/account/invite-contract.ts';
import type { LedgerPage, PointsStatus } from '../../features/wallet/contract.ts';
import type { UploadedPicture } from '../../features/picture/contract.ts';
import { client, type Client, dataOf, doneOf, inPath, type Result } from '../shared/api.ts';
import { type Sending, sendPicture } from '../shared/send-form.ts';

/** The calls of the account page. Tests put their own in its place. */
export interface AccountPageApi {
  account(): Promise<Result<OwnAccount>>;
  change(change: AccountChange): Promise<Result<OwnAccount>>;
  sendPicture(picture: Blob, sending: Sending): Promise<Result<UploadedPicture>>;
  points(): Promise<Result<PointsStatus>>;
  /** The newest entries, or those after a page's cursor. */
  ledger(cursor?: string): Promise<Result<LedgerPage>>;
  invites(): Promise<Result<Invites>>;
  makeInviteCode(): Promise<Result<Invites>>;
  sessions(): Promise<Result<SessionList>>;
  endSession(id: string): Promise<Result<null>>;
  endOtherSessions(): Promise<Result<null>>;
}

/** Entries of the ledger that are fetched at once. */
const LEDGER_PAGE = 20;

export function createAccountPageApi({ account, points, invites }: Client): AccountPageApi {
  return {
    account: () => dataOf(account.$get()),
    change: (change) => dataOf(account.$patch({ json: change })),
    sendPicture,
    points: () => dataOf(points.$get()),
    ledger: (cursor) =>
      dataOf(points.ledger.$get({ query: { limit: String(LEDGER_PAGE), ...(cursor ? { cursor } : {}) } })),
    invites: () => dataOf(invites.$get()),
    makeInviteCode: () => dataOf(invites.$post()),
    sessions: () => dataOf(account.sessions.$get()),
    endSession: (id) => doneOf(account.sessions[':id'].$delete({ param: { id: inPath(id) } })),
    endOtherSessions: () => doneOf(account.sessions.$delete()),
  };
}

/** The calls of a page. */
export const accountPageApi: AccountPageApi = createAccountPageApi(client);
