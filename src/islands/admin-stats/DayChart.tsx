import { useId, useState } from 'react';
import type { StatDay } from '../../features/stats/contract.ts';
import { useLang, useWords } from '../shared/i18n.tsx';
import { FIELD } from '../shared/styles.ts';
import { MEASURES, type Measure, mostOf, tellDay, tellValue } from './format.ts';

/** A day's place and the room between two, in the picture's own units. */
const STEP = 10;
const GAP = 2;
const HEIGHT = 100;
/** What is more than nothing is seen, however little it is. */
const LEAST = 1;

/** One measure by its days, as bars; all of them stand in a table below. */
export function DayChart({ days }: { days: readonly StatDay[] }) {
  const [measure, setMeasure] = useState<Measure>('messages');
  const words = useWords('adminStats');
  const lang = useLang();
  const id = useId();
  const most = mostOf(days, measure);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return null;
  const name = words(`measure_${measure}`);
  const [from, to] = [tellDay(first.day, lang), tellDay(last.day, lang)];
  const summary =
    most === null
      ? words('chartNothing', { measure: name, from, to })
      : words('chartSummary', {
          ...{ measure: name, from, to, day: tellDay(most.day, lang) },
          most: tellValue(measure, most.value, lang),
        });
  return (
    <>
      <label className="flex max-w-sm flex-col gap-1">
        <span className="text-sm text-text-quiet">{words('shown')}</span>
        <select
          className={FIELD}
          value={measure}
          onChange={({ target }) => setMeasure(target.value as Measure)}
        >
          {MEASURES.map((one) => (
            <option key={one} value={one}>
              {words(`measure_${one}`)}
            </option>
          ))}
        </select>
      </label>
      <figure className="stats-chart" aria-describedby={id}>
        <p className="stats-chart-most" aria-hidden="true">
          {most === null ? '' : tellValue(measure, most.value, lang)}
        </p>
        <svg
          role="img"
          aria-label={name}
          viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
        >
          {days.map((one, index) => {
            const value = one[measure] ?? 0;
            const share = most === null ? 0 : (value / most.value) * HEIGHT;
            const height = value > 0 ? Math.max(LEAST, share) : 0;
            return (
              <g key={one.day}>
                <title>{`${tellDay(one.day, lang)}: ${tellValue(measure, one[measure], lang)}`}</title>
                {/* All of the day's column tells its value, not the bar alone. */}
                <rect x={index * STEP} y={0} width={STEP} height={HEIGHT} className="stats-chart-day" />
                <rect
                  x={index * STEP + GAP / 2}
                  y={HEIGHT - height}
                  width={STEP - GAP}
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
