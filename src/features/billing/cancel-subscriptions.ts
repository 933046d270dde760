import type { ProviderSubscription } from './payment-provider.ts';
import { isBillable, type Subscription, type SubscriptionStatus } from './subscription-rules.ts';

type ProviderFailure = { ok: false; reason: string };

/** The company has taken a cancellation, and may say for a moment that nothing has changed: so long until it is asked again. */
export const CANCEL_RETRY_DELAYS_MS = [300, 700] as const;

/** The company that is paid through, and our books. Each call is harmless to repeat. */
export interface CancellationPorts {
  cancel(id: string): Promise<{ ok: true } | ProviderFailure>;
  /** Asks the company afresh. */
  fetchStatus(id: string): Promise<{ ok: true; status: ProviderSubscription['status'] } | ProviderFailure>;
  /** Writes down what the company said. */
  saveStatus(id: string, status: SubscriptionStatus): Promise<void>;
  sleep(ms: number): Promise<void>;
  /** Tells the log why somebody may still be billed: never who. */
  log(reason: string): void;
}

/**
 * Has everything cancelled that somebody may still be billed for. What the call to cancel answers decides nothing: it
 * may be lost on the way, and of two at once the later one is refused. Only what the company says afterwards does.
 * @returns all of them as they are then; null when one of them may still be billed
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
