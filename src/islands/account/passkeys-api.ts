import type { NewCredential, Passkey, PasskeyList } from '../../features/account/passkey/passkey-contract.ts';
import { checkOk, encodePathPart, readJson, type Result } from '../shared/api.ts';
import { recentLoginClient } from '../sign-in/recent-login.ts';

const { passkeys } = recentLoginClient.account;

/** API calls of the passkeys section. */
export const passkeysApi = {
  list: (): Promise<Result<PasskeyList>> => readJson(passkeys.$get()),
  options: () => readJson(passkeys.options.$post()),
  add: (name: string, credential: NewCredential): Promise<Result<Passkey>> =>
    readJson(passkeys.$post({ json: { name, credential } })),
  rename: (id: string, name: string): Promise<Result<Passkey>> =>
    readJson(passkeys[':id'].$patch({ param: { id: encodePathPart(id) }, json: { name } })),
  remove: (id: string): Promise<Result<null>> =>
    checkOk(passkeys[':id'].$delete({ param: { id: encodePathPart(id) } })),
};
