import { useStore } from '@nanostores/react';
import { useId, type ReactNode } from 'react';
import type { AccountCase } from '../../features/moderation/moderation-action-contract.ts';
import type { ReportCase } from '../../features/moderation/report-contract.ts';
import { formatDate, formatNumber } from '../../locales/format.ts';
import { useLang, useWords } from '../shared/i18n.tsx';
import { SECONDARY } from '../shared/styles.ts';
import { adminQueues, type OpenAccount } from './admin-reports-state.ts';
import { Failed, MeasureRows, Part } from './case-parts.tsx';

type PersonOfCase = NonNullable<ReportCase['owner']>;

/** Somebody in a case, and the way to their account. */
export function Person({
  person,
  as,
  busy,
}: {
  person: PersonOfCase;
  as: 'reporter' | 'maker' | 'person';
  busy: boolean;
}) {
  const words = useWords('adminReports');
  const id = useId();
  const { account } = useStore(adminQueues.$state, { ssr: 'initial' });
  const open = account?.id === person.id ? account : null;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <p className="min-w-0 [overflow-wrap:anywhere]">
          {words(as, { name: person.name })}
          {person.suspended_at === null ? null : <span className="badge ms-2">{words('suspended')}</span>}
        </p>
        <button
          type="button"
          className={SECONDARY}
          aria-expanded={open !== null}
          aria-controls={open === null ? undefined : id}
          aria-describedby={`${id}-told`}
          aria-label={words('accountOf', { name: person.name })}
          onClick={() => void adminQueues.toggleAccount(person.id)}
        >
          {words('account')}
        </button>
        <p id={`${id}-told`} className="text-sm text-text-quiet">
          {words('accountTold')}
        </p>
      </div>
      {open === null ? null : (
        <div id={id} className="border-s-2 border-line ps-4">
          <Opened open={open} name={person.name} busy={busy} />
        </div>
      )}
    </div>
  );
}

function Opened({ open, name, busy }: { open: OpenAccount; name: string; busy: boolean }) {
  const words = useWords('adminReports');
  if (open.status === 'missing') return <p role="status">{words('accountMissing')}</p>;
  if (open.status === 'failed') return <Failed again={() => void adminQueues.accountAgain()} />;
  if (open.account === null) {
    return (
      <p role="status" className="text-text-quiet">
        {words('loading')}
      </p>
    );
  }
  return (
    <Part title={words('accountOf', { name })}>
      <Account account={open.account} busy={busy} />
    </Part>
  );
}

function Account({ account, busy }: { account: AccountCase; busy: boolean }) {
  const words = useWords('adminReports');
  const lang = useLang();
  const { name, email, is_anonymous: isGuest, suspended_at: suspendedAt, measures } = account;
  return (
    <>
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        <Fact label={words('accountName')}>{name}</Fact>
        <Fact label={words('accountEmail')}>{isGuest || email === null ? words('accountGuest') : email}</Fact>
        <Fact label={words('accountSince')}>{formatDate(account.created_at, lang)}</Fact>
        <Fact label={words('accountCharacters')}>{formatNumber(account.character_count, lang)}</Fact>
        <Fact label={words('accountState')}>
          {suspendedAt === null
            ? words('accountOpen')
            : words('accountSuspended', { time: formatDate(suspendedAt, lang) })}
        </Fact>
      </dl>
      <h3 className="mt-3">{words('accountMeasures')}</h3>
      {measures.length === 0 ? (
        <p className="text-text-quiet">{words('accountNoMeasures')}</p>
      ) : (
        <MeasureRows measures={measures} busy={busy} />
      )}
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd dir="auto" className="[overflow-wrap:anywhere]">
        {children}
      </dd>
    </div>
  );
}
