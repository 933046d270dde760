import type { SubscriptionView } from '../../features/billing/contract.ts';
import { client, type Client, readJson, type Result } from '../shared/api.ts';

/** The calls about one's membership. Tests put their own in its place. */
export interface MembershipApi {
  subscription(): Promise<Result<SubscriptionView>>;
  /** Has the server ask PayPal about a subscription that was agreed to there; repeating it changes nothing. */
  activate(subscriptionId: string): Promise<Result<SubscriptionView>>;
  /** Back to the free plan, once what is paid for is over. */
  downgrade(): Promise<Result<SubscriptionView>>;
}

export function createMembershipApi({ subscription }: Client): MembershipApi {
  return {
    subscription: () => readJson(subscription.$get()),
    activate: (id) => readJson(subscription.activate.$post({ json: { subscription_id: id } })),
    downgrade: () => readJson(subscription.downgrade.$post()),
  };
}

/** The calls of a page. */
export const membershipApi: MembershipApi = createMembershipApi(client);
