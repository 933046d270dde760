import type { CompanySubscription } from './payment-provider.ts';
import { isToBeBilled, type Subscription, type SubscriptionStatus } from './subscription-rules.ts';

type Refusal = { ok: false; reason: string };

/** The company has taken a cancellation, and may say for a moment that nothing has changed: so long until it is asked again. */
export const END_PAUSES_MS = [300, 700] as const;

/** The company that is paid through, and our books. Each call is harmless to repeat. */
export interface EndPorts {
  cancel(id: string): Promise<{ ok: true } | Refusal>;
  /** Asks the company afresh. */
  show(id: string): Promise<{ ok: true; status: CompanySubscription['status'] } | Refusal>;
  /** Writes down what the company said. */
  keep(id: string, status: SubscriptionStatus): Promise<void>;
  pause(ms: number): Promise<void>;
  /** Tells the log why somebody may still be billed: never who. */
  tell(reason: string): void;
}

/**
 * Has everything cancelled that somebody may still be billed for. What the call to cancel answers decides nothing: it
 * may be lost on the way, and of two at once the later one is refused. Only what the company says afterwards does.
 * @returns all of them as they are then; null when one of them may still be billed
 */
export async function endSubscriptions(
  subscriptions: readonly Subscription[],
  ports: EndPorts,
  now: number,
): Promise<Subscription[] | null> {
  const ended: Subscription[] = [];
  for (const subscription of subscriptions) {
    if (!isToBeBilled(subscription)) {
      ended.push(subscription);
      continue;
    }
    const status = await endOne(subscription, ports);
    if (status === null || isToBeBilled({ status })) return null;
    ended.push({ ...subscription, status, updatedAt: now });
  }
  return ended;
}

const isRunning = (status: CompanySubscription['status']): boolean =>
  status !== 'pending' && isToBeBilled({ status });

async function endOne({ id }: Subscription, ports: EndPorts): Promise<SubscriptionStatus | null> {
  const cancelled = await ports.cancel(id);
  let answer = await ports.show(id);
  for (const ms of cancelled.ok ? END_PAUSES_MS : []) {
    if (!answer.ok || !isRunning(answer.status)) break;
    await ports.pause(ms);
    answer = await ports.show(id);
  }
  const status = answer.ok && answer.status !== 'pending' ? answer.status : null;
  if (status !== null) await ports.keep(id, status);
  if (status === null || isToBeBilled({ status })) {
    const told = [cancelled.ok ? 'cancel was taken' : cancelled.reason];
    told.push(answer.ok ? `show says ${answer.status}` : answer.reason);
    ports.tell(told.join('; '));
  }
  return status;
}
