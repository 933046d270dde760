import { useStore } from '@nanostores/react';
import { useId, type ReactNode } from 'react';
import type { AccountCase } from '../../features/moderation/moderation-action-contract.ts';
import type { ReportCase } from '../../features/moderation/report-contract.ts';
import { formatDate, formatNumber } from '../../locales/format.ts';
import type { Failure } from '../shared/api.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { SECONDARY } from '../shared/styles.ts';
import { adminQueues, type OpenAccount } from './admin-reports-state.ts';
import { CaseLoadError, ModerationActionRows, CaseSection } from './case-components.tsx';

type CaseUser = NonNullable<ReportCase['owner']>;

/** A user in a case, with a button that opens their account. */
export function CaseUserLink({
  person,
  as,
  busy,
}: {
  person: CaseUser;
  as: 'reportedBy' | 'createdBy' | 'appealedBy';
  busy: boolean;
}) {
  const words = useTranslate('adminReports');
  const id = useId();
  const { account } = useStore(adminQueues.$state, { ssr: 'initial' });
  const open = account?.id === person.id ? account : null;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <p className="min-w-0 [overflow-wrap:anywhere]">
          {words(as, { name: person.name })}
          {person.suspended_at === null ? null : (
            <span className="badge ms-2">{words('suspendedBadge')}</span>
          )}
        </p>
        <button
          type="button"
          className={SECONDARY}
          aria-expanded={open !== null}
          aria-controls={open === null ? undefined : id}
          aria-describedby={`${id}-told`}
          aria-label={words('accountNamed', { name: person.name })}
          onClick={() => void adminQueues.toggleAccount(person.id)}
        >
          {words('accountTitle')}
        </button>
        <p id={`${id}-told`} className="text-sm text-text-quiet">
          {words('accountAccessNote')}
        </p>
      </div>
      {open === null ? null : (
        <div id={id} className="border-s-2 border-line ps-4">
          <AccountPanel open={open} name={person.name} busy={busy} />
        </div>
      )}
    </div>
  );
}

function AccountPanel({ open, name, busy }: { open: OpenAccount; name: string; busy: boolean }) {
  const words = useTranslate('adminReports');
  if (open.status === 'missing') return <p role="status">{words('accountMissing')}</p>;
  if (open.status === 'failed') return <CaseLoadError again={() => void adminQueues.reloadAccount()} />;
  if (open.account === null) {
    return (
      <p role="status" className="text-text-quiet">
        {words('loading')}
      </p>
    );
  }
  return (
    <CaseSection title={words('accountNamed', { name })}>
      <AccountDetails account={open.account} busy={busy} />
    </CaseSection>
  );
}

/** What an account's owner can see that staff saw. @param revoke revokes an action; by default as part of the open case */
export function AccountDetails({
  account,
  busy,
  revoke,
}: {
  account: AccountCase;
  busy: boolean;
  revoke?: (id: string) => Promise<Failure | null>;
}) {
  const words = useTranslate('adminReports');
  const accountWords = useTranslate('account');
  const lang = useLang();
  const { name, email, is_anonymous: isGuest, suspended_at: suspendedAt, measures } = account;
  return (
    <>
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        <DetailRow label={words('accountName')}>{name}</DetailRow>
        <DetailRow label={words('accountEmail')}>
          {isGuest || email === null ? words('accountEmailGuest') : email}
        </DetailRow>
        <DetailRow label={words('accountJoined')}>{formatDate(account.created_at, lang)}</DetailRow>
        <DetailRow label={words('accountPlan')}>{accountWords(`plan_${account.plan}`)}</DetailRow>
        <DetailRow label={accountWords('pointsLabel')}>
          {account.points === null ? '–' : formatNumber(account.points, lang)}
        </DetailRow>
        <DetailRow label={words('accountCharacters')}>
          {formatNumber(account.character_count, lang)}
        </DetailRow>
        <DetailRow label={words('accountStatus')}>
          {suspendedAt === null
            ? words('accountActive')
            : words('accountSuspended', { time: formatDate(suspendedAt, lang) })}
        </DetailRow>
      </dl>
      <h3 className="mt-3">{words('accountDecisionsTitle')}</h3>
      {measures.length === 0 ? (
        <p className="text-text-quiet">{words('accountDecisionsEmpty')}</p>
      ) : (
        <ModerationActionRows measures={measures} busy={busy} revoke={revoke} />
      )}
    </>
  );
}

function DetailRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd dir="auto" className="[overflow-wrap:anywhere]">
        {children}
      </dd>
    </div>
  );
}
