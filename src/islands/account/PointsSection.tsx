import type { ReactNode } from 'react';
import type { SessionUser } from '../../features/account/contract.ts';
import type { PointsStatus } from '../../features/wallet/contract.ts';
import { formatNumber, formatTime } from '../../locales/format.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { hasMemberships } from '../shared/site.ts';
import { LINK } from '../shared/styles.ts';
import { accountPage } from './account-state.ts';
import { RemoteContent, Section } from './components.tsx';
import { formatLedgerDay, LedgerGroupLine } from './ledger-lines.tsx';

/** The user's plan, their points and daily messages, and the newest changes. */
export function PointsSection({ plan }: { plan: SessionUser['plan'] }) {
  const words = useTranslate('account');
  return (
    <Section id="points" title={words('planAndPointsTitle')}>
      <p className="flex flex-wrap items-center gap-x-4">
        <span>{words('yourPlan', { plan: words(`plan_${plan}`) })}</span>
        {hasMemberships() ? (
          <a className={`${LINK} row-link`} href="/membership">
            {words('comparePlansLink')}
          </a>
        ) : null}
      </p>
      <RemoteContent remote={accountPage.points} room="points-room">
        {(points) => <PlanLimits points={points} />}
      </RemoteContent>
      <NewestHistory />
    </Section>
  );
}

function PlanLimits({ points }: { points: PointsStatus }) {
  const words = useTranslate('account');
  const lang = useLang();
  const { daily_messages_used: used, daily_message_limit: limit } = points;
  const formatUsedToday = () => {
    // Messages covered by a membership are not counted, so the number would be incomplete.
    if (points.unlimited) return '∞';
    return limit === null ? formatNumber(used, lang) : words('messagesTodayOfLimit', { used, limit });
  };
  return (
    <>
      <dl className="figures">
        <Figure label={words('pointsLabel')} value={formatNumber(points.current_points, lang)}>
          {words('nextRefill', {
            time: formatTime(points.refills_at, lang),
            points: points.refill_to,
          })}
        </Figure>
        <Figure label={words('permanentPointsLabel')} value={formatNumber(points.permanent_points, lang)}>
          {words('permanentPointsNote')}
        </Figure>
        <Figure label={words('messagesTodayLabel')} value={formatUsedToday()}>
          {limit === null
            ? words('noDailyLimit')
            : words('messagesTodayReset', { time: formatTime(points.daily_resets_at, lang) })}
        </Figure>
      </dl>
      <p className="mt-4 text-sm text-text-quiet">
        {points.unlimited
          ? words('messagesCovered')
          : words('pointsPerMessage', { cost: points.message_cost })}
      </p>
    </>
  );
}

function Figure({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span className="figure">{value}</span>
        <span className="block text-sm text-text-quiet">{children}</span>
      </dd>
    </div>
  );
}

/** Groups of the points history that the account page shows. */
const NEWEST_GROUPS = 3;

/** The newest groups of the points history, and a link to all of it. */
function NewestHistory() {
  const words = useTranslate('account');
  const lang = useLang();
  return (
    <div>
      <h3 id="ledger-title">{words('pointsHistoryTitle')}</h3>
      <RemoteContent remote={accountPage.history} room="min-h-34">
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-text-quiet">{words('pointsHistoryEmpty')}</p>
          ) : (
            <ul aria-labelledby="ledger-title" className="rows">
              {items.slice(0, NEWEST_GROUPS).map((group) => (
                <li key={group.id} className="flex items-baseline gap-x-4">
                  <time dateTime={group.day} className="flex-none text-sm text-text-quiet">
                    {formatLedgerDay(group.day, lang, 'short')}
                  </time>
                  <LedgerGroupLine group={group} />
                </li>
              ))}
            </ul>
          )
        }
      </RemoteContent>
      <a className={`${LINK} row-link mt-2`} href="/account/points">
        {words('pointsHistoryAllLink')}
      </a>
    </div>
  );
}
