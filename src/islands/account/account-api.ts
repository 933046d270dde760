import type { AccountChange, OwnAccount, SessionList } from '../../features/account/contract.ts';
import type { Invites } from '../../features/account/invite-contract.ts';
import type { LedgerHistory, PointsStatus } from '../../features/wallet/contract.ts';
import type { UploadedPicture } from '../../features/picture/contract.ts';
import { client, type Client, readJson, checkOk, encodePathPart, type Result } from '../shared/api.ts';
import { type UploadOptions, sendPicture } from '../shared/send-form.ts';

/** API calls of the account page; tests pass their own. */
export interface AccountPageApi {
  account(): Promise<Result<OwnAccount>>;
  change(change: AccountChange): Promise<Result<OwnAccount>>;
  sendPicture(picture: Blob, sending: UploadOptions): Promise<Result<UploadedPicture>>;
  points(): Promise<Result<PointsStatus>>;
  /** The newest part of the points history. */
  history(): Promise<Result<LedgerHistory>>;
  invites(): Promise<Result<Invites>>;
  makeInviteCode(): Promise<Result<Invites>>;
  sessions(): Promise<Result<SessionList>>;
  endSession(id: string): Promise<Result<null>>;
  endOtherSessions(): Promise<Result<null>>;
}

/** Days with changes that are read for the account page, which shows their newest groups. */
const HISTORY_DAYS = 3;

export function createAccountPageApi({ account, points, invites }: Client): AccountPageApi {
  return {
    account: () => readJson(account.$get()),
    change: (change) => readJson(account.$patch({ json: change })),
    sendPicture,
    points: () => readJson(points.$get()),
    history: () => readJson(points.history.$get({ query: { days: String(HISTORY_DAYS) } })),
    invites: () => readJson(invites.$get()),
    makeInviteCode: () => readJson(invites.$post()),
    sessions: () => readJson(account.sessions.$get()),
    endSession: (id) => checkOk(account.sessions[':id'].$delete({ param: { id: encodePathPart(id) } })),
    endOtherSessions: () => checkOk(account.sessions.$delete()),
  };
}

export const accountPageApi: AccountPageApi = createAccountPageApi(client);
