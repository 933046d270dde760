import { useState } from 'react';
import type { Referrals } from '../../features/stats/referrals-contract.ts';
import { formatNumber } from '../../locales/format.ts';
import { recentLoginClient } from '../sign-in/recent-login.ts';
import { readJson } from '../shared/api.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { SECONDARY } from '../shared/styles.ts';
import { ScrollableTable } from './StatsTables.tsx';

type RequestState =
  | { status: 'idle' | 'loading' | 'failed' }
  | { status: 'ready'; years: Referrals['years'] };

const KINDS = ['suicide', 'self_harm', 'harm_to_others', 'all'] as const;

/** Crisis referrals per calendar year, which some operators must report; fetched when opened. */
export function ReferralYears() {
  const words = useTranslate('adminStats');
  const [request, setRequest] = useState<RequestState>({ status: 'idle' });
  const loadYears = async () => {
    setRequest({ status: 'loading' });
    const answer = await readJson(recentLoginClient.admin.stats.referrals.$get({ query: {} }));
    setRequest(answer.ok ? { status: 'ready', years: answer.data.years } : { status: 'failed' });
  };
  return (
    <details
      className="stats-days"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open && request.status === 'idle') void loadYears();
      }}
    >
      <summary className="button">{words('referralYearsTitle')}</summary>
      {request.status === 'loading' ? (
        <p role="status" className="text-text-quiet">
          {words('loading')}
        </p>
      ) : null}
      {request.status === 'failed' ? (
        <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p>{words('loadFailed')}</p>
          <button type="button" className={SECONDARY} onClick={() => void loadYears()}>
            {words('tryAgain')}
          </button>
        </div>
      ) : null}
      {request.status === 'ready' ? <YearsTable years={request.years} /> : null}
    </details>
  );
}

function YearsTable({ years }: { years: Referrals['years'] }) {
  const words = useTranslate('adminStats');
  const lang = useLang();
  if (years.length === 0) return <p>{words('referralYearsEmpty')}</p>;
  return (
    <ScrollableTable label={words('referralYearsTitle')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words('yearColumn')}</th>
            {KINDS.map((kind) => (
              <th key={kind} scope="col">
                {words(`referral_${kind}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {years.map((one) => (
            <tr key={one.year}>
              <th scope="row">{one.year}</th>
              {KINDS.map((kind) => (
                <td key={kind}>{formatNumber(one[kind], lang)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollableTable>
  );
}
