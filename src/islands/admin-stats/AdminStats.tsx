import { useStore } from '@nanostores/react';
import { useEffect, useId, type ReactNode } from 'react';
import type { Stats } from '../../features/stats/contract.ts';
import { formatDayAndTime, formatNumber } from '../../locales/format.ts';
import { AdminHeader, AdminLayout, type AdminLayoutProps } from '../admin/AdminLayout.tsx';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { LINK, SECONDARY } from '../shared/styles.ts';
import { DayChart } from './DayChart.tsx';
import { ReferralYears } from './ReferralYears.tsx';
import { STATS_RANGES, statsStore } from './stats-state.ts';
import { DaysTable, ModelsTable } from './StatsTables.tsx';
import { formatBytes, formatUsd } from './format.ts';
import '../admin/admin-layout.css';
import './admin-stats.css';

/** The statistics page, for administrators only. */
export function AdminStats(room: AdminLayoutProps<'adminStats'>) {
  return (
    <AdminLayout {...room}>
      <StatsView />
    </AdminLayout>
  );
}

function StatsView() {
  const { status, stats } = useStore(statsStore.$stats, { ssr: 'initial' });
  const words = useTranslate('adminStats');
  useEffect(() => {
    void statsStore.reload();
    const again = () => {
      if (statsStore.$stats.get().status === 'failed') void statsStore.reload();
    };
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, []);
  return (
    <div className="own stats">
      <AdminHeader here="stats" heading={words('title')} about={words('intro')} offline={words('offline')} />
      <div className="flex min-w-0 flex-col gap-5">
        <StatsControls counted={stats} />
        {status === 'failed' ? (
          <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <p>{words('loadFailed')}</p>
            <button type="button" className={SECONDARY} onClick={() => void statsStore.reload()}>
              {words('tryAgain')}
            </button>
          </div>
        ) : null}
        {stats === null && status === 'loading' ? (
          <p role="status" className="text-text-quiet">
            {words('loading')}
          </p>
        ) : null}
        {stats?.generated_at === null ? <p>{words('countsEmpty')}</p> : null}
        {stats === null || stats.generated_at === null ? null : (
          <StatsContent stats={stats} busy={status === 'loading'} />
        )}
      </div>
    </div>
  );
}

/** Range selector and the time of the last count. */
function StatsControls({ counted }: { counted: Stats | null }) {
  const { status, range } = useStore(statsStore.$stats, { ssr: 'initial' });
  const words = useTranslate('adminStats');
  const lang = useLang();
  const name = useId();
  const at = counted?.generated_at ?? null;
  return (
    <div className="flex flex-wrap items-end justify-between gap-4">
      <fieldset className="stats-ranges">
        <legend>{words('periodLabel')}</legend>
        {STATS_RANGES.map((days) => (
          <label key={days} className="chip">
            <input
              type="radio"
              name={name}
              checked={days === range}
              onChange={() => void statsStore.show(days)}
            />
            <span>{words('periodDays', { count: days })}</span>
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
          onClick={() => void statsStore.reload()}
        >
          {words('refresh')}
        </button>
      </div>
    </div>
  );
}

function StatsSection({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="part" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

function MetricCard({ label, value, children }: { label: string; value: string; children?: ReactNode }) {
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

function StatsContent({ stats, busy }: { stats: Stats; busy: boolean }) {
  const words = useTranslate('adminStats');
  const { days, models } = stats;
  return (
    <div aria-busy={busy}>
      <StatsSection id="now" title={words('currentTitle')}>
        <CurrentStats stats={stats} />
      </StatsSection>
      <StatsSection id="lately" title={words('lastDaysTitle', { count: days.length })}>
        <RecentStats stats={stats} />
      </StatsSection>
      <StatsSection id="days" title={words('byDayTitle')}>
        <DayChart days={days} />
        <DaysTable days={days} />
        <ReferralYears />
      </StatsSection>
      <StatsSection id="models" title={words('modelsTitle')}>
        <ModelsTable models={models} />
      </StatsSection>
    </div>
  );
}

function CurrentStats({ stats: { days, totals } }: { stats: Stats }) {
  const words = useTranslate('adminStats');
  const lang = useLang();
  const number = (value: number) => formatNumber(value, lang);
  // Early in the day there may be no count yet; fall back to the latest day that has one.
  const active = days.findLast((day) => day.active !== null);
  return (
    <dl className="figures">
      <MetricCard label={words('accounts')} value={number(totals.accounts)}>
        {words('guestsNote', { count: totals.guests })}
      </MetricCard>
      <MetricCard label={words('activeToday')} value={number(active?.active ?? 0)}>
        {words('activeWeekNote', { count: active?.active_week ?? 0 })}
      </MetricCard>
      <MetricCard label={words('members')} value={number(totals.members)} />
      <MetricCard label={words('openReports')} value={number(totals.open_reports)}>
        <a className={`${LINK} row-link`} href="/admin-reports">
          {words('openReportsLink')}
        </a>
      </MetricCard>
      <MetricCard label={words('commissionsDue')} value={formatUsd(totals.commissions_due_cents, lang)}>
        {words('commissionsPaidNote', { amount: formatUsd(totals.commissions_paid_cents, lang) })}
      </MetricCard>
      <MetricCard
        label={words('pointsHeld')}
        value={totals.points_held === null ? '–' : number(totals.points_held)}
      >
        {words(totals.points_held === null ? 'pointsHeldPending' : 'pointsHeldNote')}
      </MetricCard>
      <MetricCard label={words('storage')} value={formatBytes(totals.storage_bytes, lang)}>
        {words('storageNote')}
      </MetricCard>
    </dl>
  );
}

function RecentStats({ stats: { days, models, totals } }: { stats: Stats }) {
  const words = useTranslate('adminStats');
  const lang = useLang();
  const number = (value: number) => formatNumber(value, lang);
  const over = (metric: 'messages' | 'conversations' | 'accounts_new' | 'guests_new' | 'points_spent') =>
    days.reduce((sum, day) => sum + day[metric], 0);
  const { suicide, self_harm: selfHarm, harm_to_others: harmToOthers } = totals.referrals;
  const known = models.filter(({ cost_usd: cost }) => cost !== null);
  const cost = known.reduce((sum, { cost_usd: one }) => sum + (one ?? 0), 0);
  return (
    <dl className="figures">
      <MetricCard label={words('measure_messages')} value={number(over('messages'))} />
      <MetricCard label={words('measure_conversations')} value={number(over('conversations'))} />
      <MetricCard label={words('measure_accounts_new')} value={number(over('accounts_new'))} />
      <MetricCard label={words('measure_guests_new')} value={number(over('guests_new'))} />
      <MetricCard label={words('measure_revenue_cents')} value={formatUsd(totals.revenue_cents, lang)}>
        {words('revenueNote')}
      </MetricCard>
      <MetricCard label={words('modelCost')} value={known.length === 0 ? '–' : formatUsd(cost * 100, lang)}>
        {known.length === 0 ? words('modelCostUnknown') : words('modelCostNote')}
      </MetricCard>
      <MetricCard label={words('measure_points_spent')} value={number(over('points_spent'))} />
      <MetricCard label={words('measure_referrals')} value={number(suicide + selfHarm + harmToOthers)}>
        {words('referralsNote', { suicide, selfHarm, harmToOthers })}
      </MetricCard>
    </dl>
  );
}
