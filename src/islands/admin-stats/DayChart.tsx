import { useId, useState } from 'react';
import type { StatDay } from '../../features/stats/contract.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { FIELD } from '../shared/styles.ts';
import { DAILY_METRICS, type DailyMetric, findMaximum, formatDay, formatMetric } from './format.ts';

/** Chart geometry in SVG units: distance between days, gap between bars. */
const BAR_STEP = 10;
const BAR_GAP = 2;
const CHART_HEIGHT = 100;
/** Keeps small values above zero visible. */
const MIN_BAR_HEIGHT = 1;

/** A bar chart of one metric per day; the table below has all values. */
export function DayChart({ days }: { days: readonly StatDay[] }) {
  const [metric, setMetric] = useState<DailyMetric>('messages');
  const words = useTranslate('adminStats');
  const lang = useLang();
  const id = useId();
  const maximum = findMaximum(days, metric);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return null;
  const name = words(`measure_${metric}`);
  const [from, to] = [formatDay(first.day, lang), formatDay(last.day, lang)];
  const summary =
    maximum === null
      ? words('chartSummaryEmpty', { measure: name, from, to })
      : words('chartSummary', {
          ...{ measure: name, from, to, day: formatDay(maximum.day, lang) },
          most: formatMetric(metric, maximum.value, lang),
        });
  return (
    <>
      <label className="flex max-w-sm flex-col gap-1">
        <span className="text-sm text-text-quiet">{words('measureLabel')}</span>
        <select
          className={FIELD}
          value={metric}
          onChange={({ target }) => setMetric(target.value as DailyMetric)}
        >
          {DAILY_METRICS.map((one) => (
            <option key={one} value={one}>
              {words(`measure_${one}`)}
            </option>
          ))}
        </select>
      </label>
      <figure className="stats-chart" aria-describedby={id}>
        <p className="stats-chart-most" aria-hidden="true">
          {maximum === null ? '' : formatMetric(metric, maximum.value, lang)}
        </p>
        <svg
          role="img"
          aria-label={name}
          viewBox={`0 0 ${days.length * BAR_STEP} ${CHART_HEIGHT}`}
          preserveAspectRatio="none"
        >
          {days.map((one, index) => {
            const value = one[metric] ?? 0;
            const share = maximum === null ? 0 : (value / maximum.value) * CHART_HEIGHT;
            const height = value > 0 ? Math.max(MIN_BAR_HEIGHT, share) : 0;
            return (
              <g key={one.day}>
                <title>{`${formatDay(one.day, lang)}: ${formatMetric(metric, one[metric], lang)}`}</title>
                {/* A full-height rectangle, so that the whole column shows the tooltip. */}
                <rect
                  x={index * BAR_STEP}
                  y={0}
                  width={BAR_STEP}
                  height={CHART_HEIGHT}
                  className="stats-chart-day"
                />
                <rect
                  x={index * BAR_STEP + BAR_GAP / 2}
                  y={CHART_HEIGHT - height}
                  width={BAR_STEP - BAR_GAP}
                  height={height}
                  className="stats-chart-bar"
                />
              </g>
            );
          })}
        </svg>
        <p className="stats-chart-ends" aria-hidden="true">
          <span>{from}</span>
          <span>{to}</span>
        </p>
        <figcaption id={id}>{summary}</figcaption>
      </figure>
    </>
  );
}
