import { useStore } from '@nanostores/react';
import { useEffect, useId, type ReactNode } from 'react';
import type { Stats } from '../../features/stats/contract.ts';
import { formatDayAndTime, formatNumber } from '../../locales/format.ts';
import { AdminHead, AdminRoom, type AdminRoomProps } from '../admin/AdminLayout.tsx';
import { useLang, useWords } from '../shared/i18n.tsx';
import { LINK, SECONDARY } from '../shared/styles.ts';
import { DayChart } from './DayChart.tsx';
import { ReferralYears } from './ReferralYears.tsx';
import { RANGES, statsPage } from './stats-state.ts';
import { DaysTable, ModelsTable } from './StatsTables.tsx';
import { tellBytes, tellMoney } from './format.ts';
import '../admin/admin-layout.css';
import './admin-stats.css';

/** The operator's figures; for everybody else there is nothing here. */
export function AdminStats(room: AdminRoomProps<'adminStats'>) {
  return (
    <AdminRoom {...room}>
      <StatsView />
    </AdminRoom>
  );
}

function StatsView() {
  const { status, stats } = useStore(statsPage.$stats, { ssr: 'initial' });
  const words = useWords('adminStats');
  useEffect(() => {
    void statsPage.again();
    const again = () => {
      if (statsPage.$stats.get().status === 'failed') void statsPage.again();
    };
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, []);
  return (
    <div className="own stats">
      <AdminHead here="stats" heading={words('title')} about={words('about')} offline={words('offline')} />
      <div className="flex min-w-0 flex-col gap-5">
        <Ways counted={stats} />
        {status === 'failed' ? (
          <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <p>{words('loadFailed')}</p>
            <button type="button" className={SECONDARY} onClick={() => void statsPage.again()}>
              {words('tryAgain')}
            </button>
          </div>
        ) : null}
        {stats === null && status === 'loading' ? (
          <p role="status" className="text-text-quiet">
            {words('loading')}
          </p>
        ) : null}
        {stats?.generated_at === null ? <p>{words('notCounted')}</p> : null}
        {stats === null || stats.generated_at === null ? null : (
          <Told stats={stats} busy={status === 'loading'} />
        )}
      </div>
    </div>
  );
}

/** How far back one looks, and when it was counted. */
function Ways({ counted }: { counted: Stats | null }) {
  const { status, range } = useStore(statsPage.$stats, { ssr: 'initial' });
  const words = useWords('adminStats');
  const lang = useLang();
  const name = useId();
  const at = counted?.generated_at ?? null;
  return (
    <div className="flex flex-wrap items-end justify-between gap-4">
      <fieldset className="stats-ranges">
        <legend>{words('range')}</legend>
        {RANGES.map((days) => (
          <label key={days} className="chip">
            <input
              type="radio"
              name={name}
              checked={days === range}
              onChange={() => void statsPage.show(days)}
            />
            <span>{words('days', { count: days })}</span>
          </label>
        ))}
      </fieldset>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className="text-sm text-text-quiet">
          {at === null ? null : words('countedAt', { time: formatDayAndTime(at, lang) })}
        </p>
        <button
          type="button"
          className={SECONDARY}
          aria-busy={status === 'loading'}
          onClick={() => void statsPage.again()}
        >
          {words('refresh')}
        </button>
      </div>
    </div>
  );
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="part" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

function Figure({ label, value, children }: { label: string; value: string; children?: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span className="figure">{value}</span>
        {children === undefined ? null : <span className="block text-sm text-text-quiet">{children}</span>}
      </dd>
    </div>
  );
}

function Told({ stats, busy }: { stats: Stats; busy: boolean }) {
  const words = useWords('adminStats');
  const { days, models } = stats;
  return (
    <div aria-busy={busy}>
      <Part id="now" title={words('now')}>
        <Now stats={stats} />
      </Part>
      <Part id="lately" title={words('lately', { count: days.length })}>
        <Lately stats={stats} />
      </Part>
      <Part id="days" title={words('byDay')}>
        <DayChart days={days} />
        <DaysTable days={days} />
        <ReferralYears />
      </Part>
      <Part id="models" title={words('models')}>
        <ModelsTable models={models} />
      </Part>
    </div>
  );
}

function Now({ stats: { days, totals } }: { stats: Stats }) {
  const words = useWords('adminStats');
  const lang = useLang();
  const number = (value: number) => formatNumber(value, lang);
  // Early in the day nobody may have counted yet: then it is as it was the day before.
  const active = days.findLast((day) => day.active !== null);
  return (
    <dl className="figures">
      <Figure label={words('accounts')} value={number(totals.accounts)}>
        {words('guests', { count: totals.guests })}
      </Figure>
      <Figure label={words('activeToday')} value={number(active?.active ?? 0)}>
        {words('activeWeek', { count: active?.active_week ?? 0 })}
      </Figure>
      <Figure label={words('members')} value={number(totals.members)} />
      <Figure label={words('openReports')} value={number(totals.open_reports)}>
        <a className={`${LINK} row-link`} href="/admin-reports">
          {words('openReportsLink')}
        </a>
      </Figure>
      <Figure label={words('commissionsDue')} value={tellMoney(totals.commissions_due_cents, lang)}>
        {words('commissionsPaid', { amount: tellMoney(totals.commissions_paid_cents, lang) })}
      </Figure>
      <Figure
        label={words('pointsHeld')}
        value={totals.points_held === null ? '–' : number(totals.points_held)}
      >
        {words(totals.points_held === null ? 'pointsHeldLater' : 'pointsHeldNote')}
      </Figure>
      <Figure label={words('storage')} value={tellBytes(totals.storage_bytes, lang)}>
        {words('storageNote')}
      </Figure>
    </dl>
  );
}

function Lately({ stats: { days, models, totals } }: { stats: Stats }) {
  const words = useWords('adminStats');
  const lang = useLang();
  const number = (value: number) => formatNumber(value, lang);
  const over = (measure: 'messages' | 'conversations' | 'accounts_new' | 'guests_new' | 'points_spent') =>
    days.reduce((sum, day) => sum + day[measure], 0);
  const { suicide, self_harm: selfHarm, harm_to_others: harmToOthers } = totals.referrals;
  const known = models.filter(({ cost_usd: cost }) => cost !== null);
  const cost = known.reduce((sum, { cost_usd: one }) => sum + (one ?? 0), 0);
  return (
    <dl className="figures">
      <Figure label={words('measure_messages')} value={number(over('messages'))} />
      <Figure label={words('measure_conversations')} value={number(over('conversations'))} />
      <Figure label={words('measure_accounts_new')} value={number(over('accounts_new'))} />
      <Figure label={words('measure_guests_new')} value={number(over('guests_new'))} />
      <Figure label={words('measure_revenue_cents')} value={tellMoney(totals.revenue_cents, lang)}>
        {words('revenueNote')}
      </Figure>
      <Figure label={words('modelCost')} value={known.length === 0 ? '–' : tellMoney(cost * 100, lang)}>
        {known.length === 0 ? words('costUnknown') : words('costNote')}
      </Figure>
      <Figure label={words('measure_points_spent')} value={number(over('points_spent'))} />
      <Figure label={words('measure_referrals')} value={number(suicide + selfHarm + harmToOthers)}>
        {words('referralKinds', { suicide, selfHarm, harmToOthers })}
      </Figure>
    </dl>
  );
}
