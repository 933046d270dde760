import { useState } from 'react';
import type { PaymentClient, Plan, SubscriptionView } from '../../features/billing/contract.ts';
import { formatDate, formatMoney } from '../../locales/format.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { getSubscriptionStart } from './membership-rules.ts';
import { PayPalButton } from './PayPalButton.tsx';

/**
 * The way to subscribe to a paid plan.
 * @param isUnderWay a subscription approved at PayPal is not activated yet, so a second payment must not be offered
 */
export function Subscribe({
  plan,
  view: { client },
  isUnderWay,
  offer,
  onBegun,
  onApproved,
}: {
  plan: Plan;
  view: SubscriptionView;
  isUnderWay: boolean;
  offer: () => Promise<PaymentClient | null>;
  onBegun: (subscriptionId: string) => void;
  onApproved: (subscriptionId: string) => Promise<void>;
}) {
  const words = useTranslate('membership');
  const lang = useLang();
  const [now] = useState(() => Date.now());
  const price = formatMoney(plan.price_cents, lang);
  const startTime = client === null ? null : getSubscriptionStart(client, now);
  return (
    <section className="part" id="join" tabIndex={-1} aria-labelledby="join-title" hidden={isUnderWay}>
      <h2 id="join-title">{words('subscribeTitle', { plan: plan.name, price })}</h2>
      {client === null ? (
        <p>{words('notAvailable')}</p>
      ) : (
        <>
          <p>{words('subscribeTerms')}</p>
          {startTime === null ? null : (
            <p role="note" className="border-s-2 border-state ps-3">
              {words('subscribeAgainNote', { date: formatDate(startTime, lang) })}
            </p>
          )}
          <PayPalButton client={client} offer={offer} onBegun={onBegun} onApproved={onApproved} />
          <p className="text-sm text-text-quiet">{words('payPalNote')}</p>
        </>
      )}
    </section>
  );
}
