import type { SubscriptionView } from '../../features/billing/contract.ts';
import { client, type Client, readJson, type Result } from '../shared/api.ts';

/** API calls of the membership page; tests pass their own. */
export interface MembershipApi {
  subscription(): Promise<Result<SubscriptionView>>;
  /** Makes the server check an approved subscription with PayPal; idempotent. */
  activate(subscriptionId: string): Promise<Result<SubscriptionView>>;
  /** Cancels the membership; the plan becomes free when the paid period ends. */
  downgrade(): Promise<Result<SubscriptionView>>;
}

export function createMembershipApi({ subscription }: Client): MembershipApi {
  return {
    subscription: () => readJson(subscription.$get()),
    activate: (id) => readJson(subscription.activate.$post({ json: { subscription_id: id } })),
    downgrade: () => readJson(subscription.downgrade.$post()),
  };
}

export const membershipApi: MembershipApi = createMembershipApi(client);
