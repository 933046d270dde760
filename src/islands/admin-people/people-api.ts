import type { AccountCase } from '../../features/moderation/moderation-action-contract.ts';
import type { FeaturedCharacters, FoundPeople } from '../../features/moderation/people-contract.ts';
import { recentLoginClient } from '../sign-in/recent-login.ts';
import { checkOk, encodePathPart, type Failure, readJson, type Result } from '../shared/api.ts';

const { people, accounts, gifts, measures, featured, characters } = recentLoginClient.admin;
const toFailure = (answer: Result<unknown>): Failure | null => (answer.ok ? null : answer);

/** API calls of the people page. Actions resolve to the failure, or to null on success. */
export const peopleApi = {
  find: (q: string): Promise<Result<FoundPeople>> => readJson(people.$get({ query: { q } })),
  account: (id: string): Promise<Result<AccountCase>> =>
    readJson(accounts[':id'].$get({ param: { id: encodePathPart(id) } })),
  /** @param grantId repeating a call with the same id gives nothing more */
  givePoints: async (grantId: string, userId: string, points: number, reason: string) =>
    toFailure(await checkOk(gifts.$post({ json: { gift_id: grantId, user_id: userId, points, reason } }))),
  suspend: async (userId: string, reason: string) =>
    toFailure(
      await checkOk(measures.$post({ json: { kind: 'account_suspended', subject_id: userId, reason } })),
    ),
  revokeAction: async (id: string) =>
    toFailure(await checkOk(measures[':id'].$delete({ param: { id: encodePathPart(id) } }))),
  featured: (): Promise<Result<FeaturedCharacters>> => readJson(featured.$get()),
  setFeatured: async (id: string, isFeatured: boolean) =>
    toFailure(
      await checkOk(
        characters[':id'].featured.$put({
          param: { id: encodePathPart(id) },
          json: { featured: isFeatured },
        }),
      ),
    ),
};
