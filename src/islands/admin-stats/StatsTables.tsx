import { useId, type ReactNode } from 'react';
import type { ModelStats, StatDay } from '../../features/stats/contract.ts';
import { formatNumber } from '../../locales/format.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import {
  DAILY_METRICS,
  formatDay,
  formatUsd,
  formatPercent,
  formatMetric,
  formatDuration,
} from './format.ts';

/** A table that scrolls horizontally within its own box, by keyboard too; a shadow at its edge shows that there is more. */
export function ScrollableTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- makes the box scrollable by keyboard
    <div className="stats-table" role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}

/** All metrics per day, newest first. */
export function DaysTable({ days }: { days: readonly StatDay[] }) {
  const words = useTranslate('adminStats');
  const lang = useLang();
  return (
    <details className="stats-days">
      <summary className="button">{words('showAsTable')}</summary>
      <ScrollableTable label={words('byDayTitle')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words('dayColumn')}</th>
              {DAILY_METRICS.map((measure) => (
                <th key={measure} scope="col">
                  {words(`measure_${measure}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((one) => (
              <tr key={one.day}>
                <th scope="row">
                  <time dateTime={one.day}>{formatDay(one.day, lang)}</time>
                </th>
                {DAILY_METRICS.map((measure) => (
                  <td key={measure}>{formatMetric(measure, one[measure], lang)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollableTable>
    </details>
  );
}

/** Upper end of the latency histogram, in milliseconds: slower first tokens are only known to be slower. */
const MAX_MEASURED_MS = 5000;

export function ModelsTable({ models }: { models: readonly ModelStats[] }) {
  const words = useTranslate('adminStats');
  const lang = useLang();
  const note = useId();
  if (models.length === 0) return <p>{words('modelsEmpty')}</p>;
  const number = (value: number) => formatNumber(value, lang);
  const formatLatency = (ms: number | null) => {
    if (ms === null) return '–';
    const duration = formatDuration(ms, lang);
    return ms >= MAX_MEASURED_MS ? words('durationOver', { time: duration }) : duration;
  };
  const figures = [
    ['columnReplies', ({ turns }) => number(turns)],
    ['columnFailed', ({ failed, error_rate: rate }) => `${number(failed)} (${formatPercent(rate, lang)})`],
    ['columnStopped', ({ stopped }) => number(stopped)],
    ['columnRefused', ({ refused }) => number(refused)],
    ['columnTokensRead', ({ prompt_tokens: tokens }) => number(tokens)],
    [
      'columnTokensCached',
      ({ cached_tokens: cached, prompt_tokens: all }) => formatPercent(all === 0 ? 0 : cached / all, lang),
    ],
    ['columnTokensWritten', ({ reply_tokens: tokens }) => number(tokens)],
    [
      'columnCost',
      ({ cost_usd: cost }) => (cost === null ? words('modelCostUnknown') : formatUsd(cost * 100, lang)),
    ],
    ['columnFirstWordsMedian', ({ first_token_ms: { p50 } }) => formatLatency(p50)],
    ['columnFirstWords95th', ({ first_token_ms: { p95 } }) => formatLatency(p95)],
    ['columnLiked', ({ liked }) => number(liked)],
    ['columnDisliked', ({ disliked }) => number(disliked)],
  ] as const satisfies readonly (readonly [string, (model: ModelStats) => string])[];
  // Models are the columns: sites have few models, and there are many figures.
  return (
    <>
      <ScrollableTable label={words('modelsTitle')}>
        <table aria-describedby={note}>
          <thead>
            <tr>
              <th scope="col">{words('modelColumn')}</th>
              {models.map(({ id, label }) => (
                <th key={id} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {figures.map(([figure, formatCell]) => (
              <tr key={figure}>
                <th scope="row">{words(figure)}</th>
                {models.map((model) => (
                  <td key={model.id}>{formatCell(model)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollableTable>
      <p id={note} className="text-sm text-text-quiet">
        {words('modelsNote')}
      </p>
    </>
  );
}
