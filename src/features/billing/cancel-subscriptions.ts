import type { ProviderSubscription } from './payment-provider.ts';
import { isBillable, type Subscription, type SubscriptionStatus } from './subscription-rules.ts';

type ProviderFailure = { ok: false; reason: string };

/**
 * Waits before the status is fetched again: after accepting a cancellation, the provider may report the old one for a
 * moment.
 */
export const CANCEL_RETRY_DELAYS_MS = [300, 700] as const;

/** The payment provider and our stored state. Each call is safe to repeat. */
export interface CancellationPorts {
  cancel(id: string): Promise<{ ok: true } | ProviderFailure>;
  /** Always asks the provider. */
  fetchStatus(id: string): Promise<{ ok: true; status: ProviderSubscription['status'] } | ProviderFailure>;
  /** Stores the status that the provider reported. */
  saveStatus(id: string, status: SubscriptionStatus): Promise<void>;
  sleep(ms: number): Promise<void>;
  /** Logs why a user may still be billed, without naming them. */
  log(reason: string): void;
}

/**
 * Cancels every subscription that may still be billed. The response to the cancel call decides nothing: it may be lost,
 * and the later of two concurrent calls is refused. Only the status fetched afterwards counts.
 * @returns all subscriptions with their new status; null when one of them may still be billed
 */
export async function cancelSubscriptions(
  subscriptions: readonly Subscription[],
  ports: CancellationPorts,
  now: number,
): Promise<Subscription[] | null> {
  const ended: Subscription[] = [];
  for (const subscription of subscriptions) {
    if (!isBillable(subscription)) {
      ended.push(subscription);
      continue;
    }
    const status = await cancelOne(subscription, ports);
    if (status === null || isBillable({ status })) return null;
    ended.push({ ...subscription, status, updatedAt: now });
  }
  return ended;
}

const isRunning = (status: ProviderSubscription['status']): boolean =>
  status !== 'pending' && isBillable({ status });

async function cancelOne({ id }: Subscription, ports: CancellationPorts): Promise<SubscriptionStatus | null> {
  const cancelled = await ports.cancel(id);
  let answer = await ports.fetchStatus(id);
  for (const ms of cancelled.ok ? CANCEL_RETRY_DELAYS_MS : []) {
    if (!answer.ok || !isRunning(answer.status)) break;
    await ports.sleep(ms);
    answer = await ports.fetchStatus(id);
  }
  const status = answer.ok && answer.status !== 'pending' ? answer.status : null;
  if (status !== null) await ports.saveStatus(id, status);
  if (status === null || isBillable({ status })) {
    const details = [cancelled.ok ? 'cancel was taken' : cancelled.reason];
    details.push(answer.ok ? `show says ${answer.status}` : answer.reason);
    ports.log(details.join('; '));
  }
  return status;
}
