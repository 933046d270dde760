import { useStore } from '@nanostores/react';
import { useRef, useState, type ReactNode } from 'react';
import type { OwnAppeal } from '../../features/moderation/appeal-contract.ts';
import type { OwnMeasure } from '../../features/moderation/moderation-action-contract.ts';
import type { OwnReport } from '../../features/moderation/report-contract.ts';
import type { StaffView } from '../../features/moderation/staff-contract.ts';
import { sanitizeText } from '../../lib/visible-text.ts';
import { formatDayAndTime } from '../../locales/format.ts';
import { useLang, useWords } from '../shared/i18n.tsx';
import type { PagedList } from '../shared/paged.ts';
import { ShowMore } from '../shared/ui/ShowMore.tsx';
import { SECONDARY } from '../shared/styles.ts';
import { showToast } from '../shared/toasts-state.ts';
import { AppealForm } from './AppealForm.tsx';
import { type Cases, createCases } from './enforcement-history.ts';
import { Section, useNearOnce } from './components.tsx';

/** What staff decided about one's own, what it was shown of that, and what came of what one told. */
export function SafetySection({ suspended }: { suspended: boolean }) {
  const words = useWords('cases');
  const [cases] = useState(createCases);
  return (
    <Section id="decisions" title={words('title')}>
      {suspended ? (
        <div role="note" className="flex flex-col gap-2 border-s-2 border-harm ps-4">
          <p className="font-medium">{words('suspendedTitle')}</p>
          <p className="max-w-[var(--measure)]">{words('suspendedText')}</p>
        </div>
      ) : null}
      <p className="max-w-[var(--measure)] text-text-quiet">{words('about')}</p>
      <Listed
        pages={cases.measures}
        title={words('measures')}
        empty={words('measuresEmpty')}
        renderRow={(measure) => (
          <MeasureRow key={measure.id} measure={measure} cases={cases} suspended={suspended} />
        )}
      />
      <Listed
        pages={cases.appeals}
        title={words('texts')}
        of={({ refused_text: text }) => text !== null}
        renderRow={(appeal) => <AppealRow key={appeal.id} appeal={appeal} />}
      />
      <Listed
        pages={cases.reports}
        title={words('reports')}
        empty={words('reportsEmpty')}
        renderRow={(report) => <ReportRow key={report.id} report={report} />}
      />
      <Listed
        pages={cases.views}
        title={words('views')}
        empty={words('viewsEmpty')}
        renderRow={(view) => <ViewRow key={view.id} view={view} />}
      />
    </Section>
  );
}

/** One of the lists, fetched when it comes near. @param of which of its items; a list without words for none is left out then */
function Listed<T extends { id: string }>({
  pages,
  title,
  empty,
  of,
  renderRow,
}: {
  pages: PagedList<T>;
  title: string;
  empty?: string;
  of?: (item: T) => boolean;
  renderRow: (item: T) => ReactNode;
}) {
  const words = useWords('cases');
  const { status, items, nextCursor, more } = useStore(pages.$list, { ssr: 'initial' });
  const place = useRef<HTMLDivElement>(null);
  useNearOnce(place, () => {
    if (pages.$list.get().status === 'idle') void pages.load();
  });
  const shown = of === undefined ? items : items.filter(of);
  if (empty === undefined && shown.length === 0 && nextCursor === null) return <div ref={place} />;
  return (
    <div ref={place}>
      <h3>{title}</h3>
      <ul aria-label={title} className="rows">
        {shown.map(renderRow)}
      </ul>
      {status === 'ready' && shown.length === 0 ? <p className="text-text-quiet">{empty}</p> : null}
      {status === 'loading' || status === 'idle' ? (
        <p role="status" className="text-text-quiet">
          {words('loading')}
        </p>
      ) : null}
      {status === 'failed' ? (
        <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p>{words('loadFailed')}</p>
          <button type="button" className={SECONDARY} onClick={() => void pages.load()}>
            {words('tryAgain')}
          </button>
        </div>
      ) : null}
      {nextCursor === null ? null : (
        <ShowMore
          more={more}
          label={words(more === 'loading' ? 'loading' : 'more')}
          failed={words('loadFailed')}
          show={() => void pages.showMore()}
        />
      )}
    </div>
  );
}

function Time({ at }: { at: string }) {
  const lang = useLang();
  return (
    <time dateTime={at} className="text-sm text-text-quiet">
      {formatDayAndTime(at, lang)}
    </time>
  );
}

/** What others wrote to whoever reads this, as it was written. */
function Written({ text }: { text: string }) {
  return (
    <p dir="auto" className="max-w-[var(--measure)] whitespace-pre-wrap [overflow-wrap:anywhere]">
      {text}
    </p>
  );
}

/** What was done, and to what: with what is shut, nothing else can be meant than the account. */
function useWhat({ kind, subject, subject_name: name }: OwnMeasure): string {
  const words = useWords('cases');
  if (subject === 'account' && kind === 'picture_removed') return words('account_picture_removed');
  if (subject === 'account' && kind === 'name_cleared') return words('account_name_cleared');
  return words(`measure_${kind}`, { name: sanitizeText(name) });
}

/** What was taken away. @param closed pictures do not open for whoever is suspended */
function TakenAway({ measure: { taken }, closed }: { measure: OwnMeasure; closed: boolean }) {
  const words = useWords('cases');
  const lang = useLang();
  if (taken === null) return null;
  const { names, picture_url: url } = taken;
  if (names.length > 0) {
    const list = new Intl.ListFormat(lang, { type: 'unit' }).format(names.map(sanitizeText));
    return <Written text={words('takenNames', { names: list })} />;
  }
  if (url === null || closed) return null;
  return (
    <img
      src={url}
      alt={words('takenPicture')}
      loading="lazy"
      className="max-h-40 max-w-full rounded-sm border border-line"
    />
  );
}

function MeasureRow({
  measure,
  cases,
  suspended,
}: {
  measure: OwnMeasure;
  cases: Cases;
  suspended: boolean;
}) {
  const words = useWords('cases');
  const lang = useLang();
  const { id, reason, ended_at: endedAt, created_at: at, appeal } = measure;
  const what = useWhat(measure);
  const appealed = (appealId: string) =>
    cases.measures.put(id, { appeal: { id: appealId, status: 'open', answer: null } });
  return (
    <li className="flex flex-col items-start gap-1">
      <p className="flex w-full flex-wrap items-baseline justify-between gap-x-4">
        <span className="[overflow-wrap:anywhere]">{what}</span>
        <Time at={at} />
      </p>
      <TakenAway measure={measure} closed={suspended} />
      {reason === '' ? null : <Written text={words('reason', { reason: sanitizeText(reason) })} />}
      {endedAt === null ? null : (
        <p className="text-text-quiet">{words('ended', { time: formatDayAndTime(endedAt, lang) })}</p>
      )}
      {appeal === null ? null : <p role="status">{words(`appeal_${appeal.status}`)}</p>}
      {appeal?.answer == null ? null : (
        <Written text={words('answer', { answer: sanitizeText(appeal.answer) })} />
      )}
      {appeal === null && endedAt === null ? (
        <AppealForm what={what} send={(message) => cases.appeal(id, message)} sent={appealed} />
      ) : null}
    </li>
  );
}

function AppealRow({ appeal }: { appeal: OwnAppeal }) {
  const words = useWords('cases');
  const { refused_text: text, place, status, answer, created_at: at } = appeal;
  return (
    <li className="flex flex-col items-start gap-1">
      <p className="flex w-full flex-wrap items-baseline justify-between gap-x-4">
        <span>{words(`appeal_${status}`)}</span>
        <Time at={at} />
      </p>
      <Written text={sanitizeText(text ?? '')} />
      {answer === null ? null : <Written text={words('answer', { answer: sanitizeText(answer) })} />}
      {/* A reply is nobody's to send. */}
      {status === 'granted' && place !== 'reply' && text !== null ? <Again text={text} /> : null}
    </li>
  );
}

/** A text that staff let by, for the person to send again where it was refused. */
function Again({ text }: { text: string }) {
  const words = useWords('cases');
  const account = useWords('account');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      showToast({ text: account('copied') });
    } catch {
      showToast({ text: account('copyFailed'), kind: 'harm' });
    }
  };
  return (
    <>
      <p>{words('textAgain')}</p>
      <button type="button" className={SECONDARY} onClick={() => void copy()}>
        {words('textCopy')}
      </button>
    </>
  );
}

function ReportRow({ report }: { report: OwnReport }) {
  const words = useWords('cases');
  const { subject, name, status, answer, created_at: at } = report;
  const what = words(`report_${subject}`);
  return (
    <li className="flex flex-col items-start gap-1">
      <p className="flex w-full flex-wrap items-baseline justify-between gap-x-4">
        <span className="[overflow-wrap:anywhere]">
          {name === null ? what : words('report_of', { what, name: sanitizeText(name) })}
        </span>
        <Time at={at} />
      </p>
      <p className="text-text-quiet">{words(`status_${status}`)}</p>
      {answer === null ? null : <Written text={words('answer', { answer: sanitizeText(answer) })} />}
    </li>
  );
}

function ViewRow({ view }: { view: StaffView }) {
  const words = useWords('cases');
  const what = words(`view_${view.what}`);
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4">
      <span className="[overflow-wrap:anywhere]">
        {view.name === null ? what : words('report_of', { what, name: sanitizeText(view.name) })}
      </span>
      <Time at={view.at} />
    </li>
  );
}
