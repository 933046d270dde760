import { useStore } from '@nanostores/react';
import { useRef, useState, type ReactNode } from 'react';
import type { OwnAppeal } from '../../features/moderation/appeal-contract.ts';
import type { OwnModerationAction } from '../../features/moderation/moderation-action-contract.ts';
import type { OwnReport } from '../../features/moderation/report-contract.ts';
import type { StaffView } from '../../features/moderation/staff-contract.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { formatDayAndTime } from '../../locales/format.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import type { PagedList } from '../shared/paged-list.ts';
import { ShowMore } from '../shared/ui/ShowMore.tsx';
import { SECONDARY } from '../shared/styles.ts';
import { showToast } from '../shared/toasts-state.ts';
import { AppealForm } from './AppealForm.tsx';
import { type EnforcementHistory, createEnforcementHistory } from './enforcement-history.ts';
import { Section, useOnceNearby } from './components.tsx';

/** Moderation decisions about the user's content, staff views of it, the user's appeals and their reports. */
export function SafetySection({ suspended }: { suspended: boolean }) {
  const words = useTranslate('cases');
  const [cases] = useState(createEnforcementHistory);
  return (
    <Section id="decisions" title={words('title')}>
      {suspended ? (
        <div role="note" className="flex flex-col gap-2 border-s-2 border-danger ps-4">
          <p className="font-medium">{words('suspendedTitle')}</p>
          <p className="max-w-[var(--measure)]">{words('suspendedText')}</p>
        </div>
      ) : null}
      <p className="max-w-[var(--measure)] text-text-quiet">{words('intro')}</p>
      <LazyList
        pages={cases.moderationActions}
        title={words('decisionsTitle')}
        empty={words('decisionsEmpty')}
        renderRow={(measure) => (
          <ModerationActionRow key={measure.id} measure={measure} cases={cases} suspended={suspended} />
        )}
      />
      <LazyList
        pages={cases.appeals}
        title={words('refusedTextsTitle')}
        of={({ refused_text: text }) => text !== null}
        renderRow={(appeal) => <AppealRow key={appeal.id} appeal={appeal} />}
      />
      <LazyList
        pages={cases.reports}
        title={words('reportsTitle')}
        empty={words('reportsEmpty')}
        renderRow={(report) => <ReportRow key={report.id} report={report} />}
      />
      <LazyList
        pages={cases.views}
        title={words('viewsTitle')}
        empty={words('viewsEmpty')}
        renderRow={(view) => <ViewRow key={view.id} view={view} />}
      />
    </Section>
  );
}

/**
 * One of the lists, fetched when it nears the viewport.
 * @param empty shown for an empty list; without it, an empty list is hidden
 * @param of filters the items
 */
function LazyList<T extends { id: string }>({
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
  const words = useTranslate('cases');
  const { status, items, nextCursor, more } = useStore(pages.$list, { ssr: 'initial' });
  const place = useRef<HTMLDivElement>(null);
  useOnceNearby(place, pages.loadIfStale);
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
          label={words(more === 'loading' ? 'loading' : 'showMore')}
          failed={words('loadFailed')}
          show={() => void pages.showMore()}
        />
      )}
    </div>
  );
}

function DateTime({ at }: { at: string }) {
  const lang = useLang();
  return (
    <time dateTime={at} className="text-sm text-text-quiet">
      {formatDayAndTime(at, lang)}
    </time>
  );
}

/** Text that staff or the user wrote, shown unchanged. */
function QuotedText({ text }: { text: string }) {
  return (
    <p dir="auto" className="max-w-[var(--measure)] whitespace-pre-wrap [overflow-wrap:anywhere]">
      {text}
    </p>
  );
}

/** Names the action and its target; some kinds have other words for an account. */
function useActionSummary({ kind, subject, subject_name: name }: OwnModerationAction): string {
  const words = useTranslate('cases');
  if (subject === 'account' && kind === 'picture_removed') return words('decisionOwnPictureRemoved');
  if (subject === 'account' && kind === 'name_cleared') return words('decisionOwnNameRemoved');
  return words(`decision_${kind}`, { name: sanitizeText(name) });
}

/** Content that staff removed. @param closed true while suspended: pictures are then not served to the user */
function RemovedContent({ measure: { taken }, closed }: { measure: OwnModerationAction; closed: boolean }) {
  const words = useTranslate('cases');
  const lang = useLang();
  if (taken === null) return null;
  const { names, picture_url: url } = taken;
  if (names.length > 0) {
    const list = new Intl.ListFormat(lang, { type: 'unit' }).format(names.map(sanitizeText));
    return <QuotedText text={words('removedNames', { names: list })} />;
  }
  if (url === null || closed) return null;
  return (
    <img
      src={url}
      alt={words('removedPicture')}
      loading="lazy"
      className="max-h-40 max-w-full rounded-sm border border-line"
    />
  );
}

function ModerationActionRow({
  measure,
  cases,
  suspended,
}: {
  measure: OwnModerationAction;
  cases: EnforcementHistory;
  suspended: boolean;
}) {
  const words = useTranslate('cases');
  const lang = useLang();
  const { id, reason, ended_at: endedAt, created_at: at, appeal } = measure;
  const what = useActionSummary(measure);
  const appealed = (appealId: string) =>
    cases.moderationActions.updateItem(id, { appeal: { id: appealId, status: 'open', answer: null } });
  return (
    <li className="flex flex-col items-start gap-1">
      <p className="flex w-full flex-wrap items-baseline justify-between gap-x-4">
        <span className="[overflow-wrap:anywhere]">{what}</span>
        <DateTime at={at} />
      </p>
      <RemovedContent measure={measure} closed={suspended} />
      {reason === '' ? null : <QuotedText text={words('decisionReason', { reason: sanitizeText(reason) })} />}
      {endedAt === null ? null : (
        <p className="text-text-quiet">
          {words('decisionReversedAt', { time: formatDayAndTime(endedAt, lang) })}
        </p>
      )}
      {appeal === null ? null : <p role="status">{words(`appeal_${appeal.status}`)}</p>}
      {appeal?.answer == null ? null : (
        <QuotedText text={words('answer', { answer: sanitizeText(appeal.answer) })} />
      )}
      {appeal === null && endedAt === null ? (
        <AppealForm what={what} send={(message) => cases.submitAppeal(id, message)} sent={appealed} />
      ) : null}
    </li>
  );
}

function AppealRow({ appeal }: { appeal: OwnAppeal }) {
  const words = useTranslate('cases');
  const { refused_text: text, place, status, answer, created_at: at } = appeal;
  return (
    <li className="flex flex-col items-start gap-1">
      <p className="flex w-full flex-wrap items-baseline justify-between gap-x-4">
        <span>{words(`appeal_${status}`)}</span>
        <DateTime at={at} />
      </p>
      <QuotedText text={sanitizeText(text ?? '')} />
      {answer === null ? null : <QuotedText text={words('answer', { answer: sanitizeText(answer) })} />}
      {/* Only the user's own texts can be sent again, so a reply has no copy button. */}
      {status === 'granted' && place !== 'reply' && text !== null ? <ResendText text={text} /> : null}
    </li>
  );
}

/** A text that staff allowed after an appeal, to copy and send again where it was refused. */
function ResendText({ text }: { text: string }) {
  const words = useTranslate('cases');
  const account = useTranslate('account');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      showToast({ text: account('copied') });
    } catch {
      showToast({ text: account('copyFailed'), kind: 'danger' });
    }
  };
  return (
    <>
      <p>{words('refusedTextAllowed')}</p>
      <button type="button" className={SECONDARY} onClick={() => void copy()}>
        {words('refusedTextCopy')}
      </button>
    </>
  );
}

function ReportRow({ report }: { report: OwnReport }) {
  const words = useTranslate('cases');
  const { subject, name, status, answer, created_at: at } = report;
  const what = words(`report_${subject}`);
  return (
    <li className="flex flex-col items-start gap-1">
      <p className="flex w-full flex-wrap items-baseline justify-between gap-x-4">
        <span className="[overflow-wrap:anywhere]">
          {name === null ? what : words('whatAndName', { what, name: sanitizeText(name) })}
        </span>
        <DateTime at={at} />
      </p>
      <p className="text-text-quiet">{words(`status_${status}`)}</p>
      {answer === null ? null : <QuotedText text={words('answer', { answer: sanitizeText(answer) })} />}
    </li>
  );
}

function ViewRow({ view }: { view: StaffView }) {
  const words = useTranslate('cases');
  const what = words(`view_${view.what}`);
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4">
      <span className="[overflow-wrap:anywhere]">
        {view.name === null ? what : words('whatAndName', { what, name: sanitizeText(view.name) })}
      </span>
      <DateTime at={view.at} />
    </li>
  );
}
