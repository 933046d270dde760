import { useEffect, useMemo, useState } from 'react';
import { formatNumber } from '../../locales/format.ts';
import { AppealPrompt } from '../safety/Appeal.tsx';
import { saveFile } from '../shared/ui/save-file.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { type DictionaryUrls, fetchDictionary } from '../shared/load-messages.ts';
import { LINK, QUIET, SECONDARY } from '../shared/styles.ts';
import { showToast } from '../shared/toasts-state.ts';
import { createTranslator } from '../shared/translator.ts';
import { ShowMore } from '../shared/ui/ShowMore.tsx';
import { UserText } from '../shared/ui/UserText.tsx';
import {
  getReportGroup,
  getShownOutcome,
  type MoveInItem,
  REPORT_FILTERS,
  type ReportFilter,
} from './backup-items.ts';
import { formatOutcome, type ReportWords } from './move-in-messages.ts';
import type { MoveInState } from './move-in-state.ts';
import { moveIn } from './move-in.ts';
import type { Outcome } from './saved-progress.ts';

/** Rows shown at once: a report may have thousands. */
const ROWS_PER_PAGE = 100;

/** Loads the texts that explain failures, once there is a failure. Without them, reasons are the server's own. */
function useReportWords(urls: DictionaryUrls<'create' | 'chat'>, isNeeded: boolean): ReportWords {
  const words = useTranslate('moveIn');
  const errors = useTranslate('errors');
  const lang = useLang();
  const [loaded, setLoaded] = useState<Pick<ReportWords, 'create' | 'chat'>>({ create: null, chat: null });
  useEffect(() => {
    if (!isNeeded) return;
    let isHere = true;
    fetchDictionary(urls).then(
      ({ create, chat }) =>
        isHere && setLoaded({ create: createTranslator(lang, create), chat: createTranslator(lang, chat) }),
      () => undefined,
    );
    return () => {
      isHere = false;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the language and the addresses never change
  }, [isNeeded]);
  return { words, errors, ...loaded, lang };
}

interface Row {
  item: MoveInItem;
  outcome: Outcome;
}

/** Names each file and what became of it. */
export function MoveInReport({
  state: { items, outcomes, chosen, phase },
  reasonWords,
}: {
  state: MoveInState;
  reasonWords: DictionaryUrls<'create' | 'chat'>;
}) {
  const lang = useLang();
  const [filter, setFilter] = useState<ReportFilter>('all');
  const [pages, setPages] = useState(1);
  const rows = useMemo(
    () =>
      items.map((item, index): Row => ({
        item,
        outcome: getShownOutcome(item, outcomes[index] as Outcome, chosen),
      })),
    [items, outcomes, chosen],
  );
  const groups = Object.groupBy(rows, ({ outcome }) => getReportGroup(outcome));
  const failed = groups.failed?.length ?? 0;
  const reportWords = useReportWords(reasonWords, failed > 0);
  const { words } = reportWords;
  const listed = filter === 'all' ? rows : (groups[filter] ?? []);
  const download = () => {
    const lines = rows.map(({ item, outcome }) => `${item.path}\t${formatOutcome(outcome, reportWords)}\n`);
    saveFile(new Blob(lines, { type: 'text/plain;charset=utf-8' }), 'move-in.txt');
  };
  return (
    <section className="move-in-report" aria-labelledby="move-in-report">
      <h2 id="move-in-report">{words('reportTitle')}</h2>
      <div className="move-in-filters" role="radiogroup" aria-label={words('filterLabel')}>
        {REPORT_FILTERS.map((one) => (
          <label key={one} className="chip">
            <input
              type="radio"
              name="move-in-filter"
              checked={filter === one}
              onChange={() => {
                setFilter(one);
                setPages(1);
              }}
            />
            {words(`filter_${one}`)}{' '}
            <span className="tabular-nums">
              {formatNumber(one === 'all' ? rows.length : (groups[one]?.length ?? 0), lang)}
            </span>
          </label>
        ))}
      </div>
      <div className="flex flex-wrap gap-3">
        <button type="button" className={SECONDARY} onClick={download}>
          {words('downloadReport')}
        </button>
        {failed === 0 || phase === 'running' ? null : (
          <button type="button" className={SECONDARY} onClick={() => void moveIn.retry()}>
            {words('retryAll')}
          </button>
        )}
      </div>
      {listed.length === 0 ? (
        <p className="move-in-note">{words('reportEmpty')}</p>
      ) : (
        <ul className="move-in-rows">
          {listed.slice(0, pages * ROWS_PER_PAGE).map(({ item, outcome }) => (
            <ReportRow
              key={item.id}
              item={item}
              outcome={outcome}
              said={formatOutcome(outcome, reportWords)}
              mayRetry={phase !== 'running'}
            />
          ))}
        </ul>
      )}
      {listed.length > pages * ROWS_PER_PAGE ? (
        <ShowMore more="idle" label={words('showMore')} failed="" show={() => setPages(pages + 1)} />
      ) : null}
    </section>
  );
}

function ReportRow({
  item,
  outcome,
  said,
  mayRetry,
}: Row & { /** What became of the file. */ said: string; mayRetry: boolean }) {
  const words = useTranslate('moveIn');
  const { path, persona } = item;
  const copy = async (text: string) => {
    const isDone = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    showToast(isDone ? { text: words('copied') } : { text: words('copyFailed'), kind: 'danger' });
  };
  return (
    <li className="move-in-row">
      <span>
        <span className="move-in-path">
          <UserText text={path} />
        </span>
        <span className={outcome.state === 'failed' ? 'move-in-said text-danger' : 'move-in-said'}>
          {said}
        </span>
      </span>
      {'href' in outcome ? (
        <a className={`${LINK} row-link`} href={outcome.href} aria-label={words('openNamed', { name: path })}>
          {words('open')}
        </a>
      ) : null}
      {outcome.state === 'text' && persona !== null ? (
        <button
          type="button"
          className={QUIET}
          aria-label={words('copyNamed', { name: persona.name })}
          onClick={() => void copy(`${persona.name}\n\n${persona.description}`)}
        >
          {words('copy')}
        </button>
      ) : null}
      {outcome.state === 'failed' && mayRetry ? (
        <button
          type="button"
          className={QUIET}
          aria-label={words('retryNamed', { name: path })}
          onClick={() => void moveIn.retry(item)}
        >
          {words('retry')}
        </button>
      ) : null}
      {outcome.state === 'failed' && outcome.failure.refused !== undefined ? (
        <div className="move-in-appeal">
          <AppealPrompt key={outcome.failure.refused.text} refused={outcome.failure.refused} />
        </div>
      ) : null}
    </li>
  );
}
