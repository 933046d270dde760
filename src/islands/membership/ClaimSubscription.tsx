import { useStore } from '@nanostores/react';
import { useTranslate } from '../shared/i18n.tsx';
import { SECONDARY } from '../shared/styles.ts';
import type { MembershipStore } from './membership-state.ts';

/** Asks whether a subscription from the page's address is the user's; a link from another person may have named it. */
export function ClaimSubscription({ membership }: { membership: MembershipStore }) {
  const words = useTranslate('membership');
  const id = useStore(membership.$claimedId, { ssr: 'initial' });
  if (id === null) return null;
  return (
    <div role="note" className="flex flex-col items-start gap-3 border-s-2 border-state ps-3">
      <p>{words('claimText')}</p>
      <p className="break-words">{words('subscriptionId', { id })}</p>
      <div className="actions">
        <button type="button" className={SECONDARY} onClick={() => void membership.activate(id)}>
          {words('claimConfirm')}
        </button>
        <button type="button" className={SECONDARY} onClick={membership.dismissClaim}>
          {words('claimReject')}
        </button>
      </div>
    </div>
  );
}
