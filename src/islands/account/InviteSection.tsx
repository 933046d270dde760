import { useState } from 'react';
import { BRAND } from '../../config/brand.ts';
import type { CommissionView, Invites } from '../../features/account/invite-contract.ts';
import { formatAmount, formatShare } from '../../locales/format-amounts.ts';
import { formatDate, joinSentences } from '../../locales/format.ts';
import type { Failure } from '../shared/api.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { hasMemberships } from '../shared/site.ts';
import { PRIMARY, SECONDARY } from '../shared/styles.ts';
import { showToast } from '../shared/toasts-state.ts';
import { accountPage } from './account-state.ts';
import { RemoteContent, ExpandableList, Section, useErrorMessage } from './components.tsx';

/** Invitations: the user's code, how many people used it, and the points earned. */
export function InviteSection() {
  const words = useTranslate('account');
  return (
    <Section id="invite" title={words('inviteTitle')}>
      <RemoteContent remote={accountPage.invites} room="min-h-60">
        {(invites) => <InviteOverview invites={invites} />}
      </RemoteContent>
    </Section>
  );
}

function InviteOverview({ invites }: { invites: Invites }) {
  const words = useTranslate('account');
  const lang = useLang();
  const { code, invite_points: points, commission_percent: percent } = invites;
  const { invitee_count: count, commissions } = invites;
  // Without memberships there is nothing to earn, but commissions from before stay listed.
  const paysCommissions = percent > 0 && hasMemberships();
  const commissionValue = [
    ...(points > 0 ? [words('inviteeBonus', { count: points })] : []),
    ...(paysCommissions ? [words('inviteCommission', { share: formatShare(percent / 100, lang) })] : []),
  ];
  return (
    <div className="flex flex-col gap-4">
      <p className="empty:hidden">{joinSentences(commissionValue, lang)}</p>
      {code === null ? <CreateCodeButton /> : <InviteCode code={code} />}
      <p>{count === 0 ? words('inviteesEmpty') : words('inviteesCount', { people: count })}</p>
      {paysCommissions || commissions.length > 0 ? <Commissions items={commissions} /> : null}
    </div>
  );
}

function Commissions({ items }: { items: Invites['commissions'] }) {
  const words = useTranslate('account');
  return (
    <div>
      <h3>{words('commissionsTitle')}</h3>
      {items.length === 0 ? (
        <p className="text-text-quiet">{words('commissionsEmpty')}</p>
      ) : (
        <ExpandableList
          label={words('commissionsTitle')}
          items={items}
          renderRow={(commission) => (
            <CommissionRow key={`${commission.at} ${commission.amount_cents}`} commission={commission} />
          )}
        />
      )}
    </div>
  );
}

function CreateCodeButton() {
  const words = useTranslate('account');
  const errors = useTranslate('errors');
  const sentence = useErrorMessage();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const createCode = async () => {
    setBusy(true);
    setFailure(await accountPage.makeCode());
    setBusy(false);
  };
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <button
        type="button"
        className={PRIMARY}
        disabled={busy}
        aria-busy={busy}
        onClick={() => void createCode()}
      >
        {words(busy ? 'inviteCodeCreating' : 'inviteCodeCreate')}
      </button>
      <p role="alert" className="text-danger empty:hidden">
        {failure === null ? null : failure.status >= 500 ? errors('invite_code_failed') : sentence(failure)}
      </p>
    </div>
  );
}

function InviteCode({ code }: { code: string }) {
  const words = useTranslate('account');
  const link = `${location.origin}/?invite=${code}`;
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      showToast({ text: words('copied') });
    } catch {
      showToast({ text: words('copyFailed'), kind: 'danger' });
    }
  };
  const share = async () => {
    try {
      await navigator.share({
        title: BRAND.name,
        text: words('inviteLinkShareText', { brand: BRAND.name }),
        url: link,
      });
    } catch (error) {
      // AbortError: the user closed the browser's share dialog, so do nothing.
      if (!(error instanceof DOMException && error.name === 'AbortError')) await copy(link);
    }
  };
  return (
    <dl className="flex flex-col gap-3">
      <CopyField label={words('inviteCodeLabel')} value={code} button={words('inviteCodeCopy')} copy={copy} />
      <CopyField label={words('inviteLinkLabel')} value={link} button={words('inviteLinkCopy')} copy={copy} />
      {'share' in navigator ? (
        <div>
          <dt className="sr-only">{words('inviteLinkShare')}</dt>
          <dd>
            <button type="button" className={SECONDARY} onClick={() => void share()}>
              {words('inviteLinkShare')}
            </button>
          </dd>
        </div>
      ) : null}
    </dl>
  );
}

function CopyField({
  label,
  value,
  button,
  copy,
}: {
  label: string;
  value: string;
  button: string;
  copy: (text: string) => Promise<void>;
}) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span dir="ltr" translate="no" className="min-w-32 select-all tabular-nums [overflow-wrap:anywhere]">
          {value}
        </span>
        <button type="button" className={SECONDARY} onClick={() => void copy(value)}>
          {button}
        </button>
      </dd>
    </div>
  );
}

function CommissionRow({ commission }: { commission: CommissionView }) {
  const words = useTranslate('account');
  const lang = useLang();
  const { amount_cents: cents, currency, status, at } = commission;
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4">
      <time dateTime={at}>{formatDate(at, lang, { length: 'short' })}</time>
      <span className="text-text-quiet">{words(`commission_${status}`)}</span>
      <span className="tabular-nums">{formatAmount(cents, currency, lang)}</span>
    </li>
  );
}
