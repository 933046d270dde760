import { useId, type ReactNode } from 'react';
import type { ModelStats, StatDay } from '../../features/stats/contract.ts';
import { formatNumber } from '../../locales/format.ts';
import { useLang, useWords } from '../shared/i18n.tsx';
import { MEASURES, tellDay, tellMoney, tellShare, tellValue, tellWait } from './format.ts';

/** A table that is wider than a phone is moved within its own room, by keys as well. */
export function Scrolled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys move what they cannot reach otherwise
    <div className="stats-table" role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}

/** Every measure of every day, the newest first. */
export function DaysTable({ days }: { days: readonly StatDay[] }) {
  const words = useWords('adminStats');
  const lang = useLang();
  return (
    <details className="stats-days">
      <summary className="button">{words('asTable')}</summary>
      <Scrolled label={words('byDay')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words('day')}</th>
              {MEASURES.map((measure) => (
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
                  <time dateTime={one.day}>{tellDay(one.day, lang)}</time>
                </th>
                {MEASURES.map((measure) => (
                  <td key={measure}>{tellValue(measure, one[measure], lang)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
    </details>
  );
}

/** Of a first text nobody knows more than that it came later. */
const LATER_MS = 5000;

export function ModelsTable({ models }: { models: readonly ModelStats[] }) {
  const words = useWords('adminStats');
  const lang = useLang();
  const note = useId();
  if (models.length === 0) return <p>{words('modelsEmpty')}</p>;
  const number = (value: number) => formatNumber(value, lang);
  const wait = (ms: number | null) => {
    if (ms === null) return '–';
    const told = tellWait(ms, lang);
    return ms >= LATER_MS ? words('moreThan', { time: told }) : told;
  };
  const columns = [
    ['turns', ({ turns }) => number(turns)],
    ['failed', ({ failed, error_rate: rate }) => `${number(failed)} (${tellShare(rate, lang)})`],
    ['stopped', ({ stopped }) => number(stopped)],
    ['refused', ({ refused }) => number(refused)],
    ['tokensRead', ({ prompt_tokens: tokens }) => number(tokens)],
    ['tokensWritten', ({ reply_tokens: tokens }) => number(tokens)],
    ['cost', ({ cost_usd: cost }) => (cost === null ? words('costUnknown') : tellMoney(cost * 100, lang))],
    ['firstHalf', ({ first_token_ms: { p50 } }) => wait(p50)],
    ['firstMost', ({ first_token_ms: { p95 } }) => wait(p95)],
  ] as const satisfies readonly (readonly [string, (model: ModelStats) => string])[];
  return (
    <>
      <Scrolled label={words('models')}>
        <table aria-describedby={note}>
          <thead>
            <tr>
              <th scope="col">{words('model')}</th>
              {columns.map(([column]) => (
                <th key={column} scope="col">
                  {words(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {models.map((model) => (
              <tr key={model.id}>
                <th scope="row">{model.label}</th>
                {columns.map(([column, tell]) => (
                  <td key={column}>{tell(model)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      <p id={note} className="text-sm text-text-quiet">
        {words('modelsNote')}
      </p>
    </>
  );
}
