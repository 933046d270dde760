import { useStore } from '@nanostores/react';
import { useEffect, useId } from 'react';
import type { AppealStatus } from '../../features/moderation/appeal-contract.ts';
import type { ReportStatus, ReportSubject } from '../../features/moderation/report-contract.ts';
import { formatDayAndTime } from '../../locales/format.ts';
import { AdminHeader, AdminLayout, type AdminLayoutProps } from '../admin/AdminLayout.tsx';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { SECONDARY } from '../shared/styles.ts';
import { adminQueues, type Filter, type QueueState, type QueueRow } from './admin-reports-state.ts';
import { AppealView } from './AppealView.tsx';
import { CaseLoadError } from './case-components.tsx';
import { ReportView } from './ReportView.tsx';
import '../admin/admin-layout.css';

/** All values of a contract's union, in order. Importing the contract itself would pull zod into the bundle. */
const listKeys = <Word extends string>(words: Record<Word, true>) => Object.keys(words) as Word[];
const REPORT_STATUSES = listKeys<ReportStatus>({ open: true, upheld: true, dismissed: true });
const REPORT_SUBJECTS = listKeys<ReportSubject | 'all'>({
  all: true,
  character: true,
  creator: true,
  message: true,
});
const APPEAL_STATUSES = listKeys<AppealStatus>({ open: true, granted: true, declined: true });

/** The admin queue of reports and appeals. */
export function AdminReports(room: AdminLayoutProps<'adminReports' | 'account' | 'report' | 'errors'>) {
  return (
    <AdminLayout {...room}>
      <QueueView />
    </AdminLayout>
  );
}

function QueueView() {
  const words = useTranslate('adminReports');
  const state = useStore(adminQueues.$state, { ssr: 'initial' });
  useEffect(() => {
    void adminQueues.show(adminQueues.$state.get().filter);
  }, []);
  return (
    <div className="own">
      <AdminHeader
        here="reports"
        heading={words('title')}
        about={words('intro')}
        offline={words('offline')}
      />
      <div className="flex min-w-0 flex-col gap-5">
        <Filters filter={state.filter} />
        <QueueList state={state} />
      </div>
    </div>
  );
}

function Filters({ filter }: { filter: Filter }) {
  const words = useTranslate('adminReports');
  const show = (next: Filter) => void adminQueues.show(next);
  return (
    <div className="flex flex-col gap-3">
      <FilterSelect
        label={words('queueLabel')}
        options={['reports', 'appeals'] as const}
        chosen={filter.queue}
        getLabel={(queue) => words(`queue_${queue}`)}
        choose={(queue) =>
          show(queue === 'reports' ? { queue, status: 'open', subject: null } : { queue, status: 'open' })
        }
      />
      {filter.queue === 'reports' ? (
        <>
          <FilterSelect
            label={words('statusLabel')}
            options={REPORT_STATUSES}
            chosen={filter.status}
            getLabel={(status) => words(`status_${status}`)}
            choose={(status) => show({ ...filter, status })}
          />
          <FilterSelect
            label={words('subjectLabel')}
            options={REPORT_SUBJECTS}
            chosen={filter.subject ?? 'all'}
            getLabel={(subject) => words(`subject_${subject}`)}
            choose={(subject) => show({ ...filter, subject: subject === 'all' ? null : subject })}
          />
        </>
      ) : (
        <FilterSelect
          label={words('statusLabel')}
          options={APPEAL_STATUSES}
          chosen={filter.status}
          getLabel={(status) => words(`status_${status}`)}
          choose={(status) => show({ ...filter, status })}
        />
      )}
    </div>
  );
}

function FilterSelect<T extends string>({
  label,
  options,
  chosen,
  getLabel,
  choose,
}: {
  label: string;
  options: readonly T[];
  chosen: T;
  getLabel: (option: T) => string;
  choose: (option: T) => void;
}) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className="flex flex-wrap items-center gap-2">
      <span id={id} className="min-w-16 basis-full text-sm text-text-quiet sm:basis-auto">
        {label}
      </span>
      {options.map((option) => (
        <button
          key={option}
          type="button"
          className="chip"
          aria-pressed={option === chosen}
          onClick={() => choose(option)}
        >
          {getLabel(option)}
        </button>
      ))}
    </div>
  );
}

function QueueList({ state }: { state: QueueState }) {
  const words = useTranslate('adminReports');
  const { status, rows, nextCursor, filter } = state;
  return (
    <>
      <ul aria-label={words(`queue_${filter.queue}`)} className="rows">
        {rows.map((one) => (
          <QueueEntry key={one.row.id} one={one} state={state} />
        ))}
      </ul>
      {status === 'loading' ? (
        <p role="status" className="text-text-quiet">
          {words('loading')}
        </p>
      ) : null}
      {status === 'ready' && rows.length === 0 && nextCursor === null ? (
        <p role="status">{words('empty')}</p>
      ) : null}
      {status === 'failed' ? <CaseLoadError again={() => void adminQueues.showMore()} /> : null}
      {status === 'ready' && nextCursor !== null ? (
        <button
          type="button"
          className={`${SECONDARY} self-start`}
          onClick={() => void adminQueues.showMore()}
        >
          {words('showMore')}
        </button>
      ) : null}
    </>
  );
}

/** A row of the queue; the open one also shows its case. */
function QueueEntry({ one, state }: { one: QueueRow; state: QueueState }) {
  const words = useTranslate('adminReports');
  const lang = useLang();
  const id = useId();
  const { row } = one;
  const open = state.open?.id === row.id ? state.open : null;
  const time = formatDayAndTime(row.created_at, lang);
  return (
    <li>
      <button
        type="button"
        aria-expanded={open !== null}
        aria-controls={open === null ? undefined : id}
        className="flex min-h-11 w-full flex-wrap items-baseline gap-x-3 gap-y-1 text-start"
        onClick={() => void adminQueues.toggleCase(row.id)}
      >
        <EntryHeadline one={one} />
        {row.status === 'open' ? null : <span className="badge">{words(`status_${row.status}`)}</span>}
        <span className="ms-auto text-sm text-text-quiet">
          {words(one.queue === 'reports' ? 'reportedAt' : 'appealedAt', { time })}
        </span>
      </button>
      {open === null ? null : (
        <div id={id} className="flex flex-col gap-5 border-s-2 border-line py-3 ps-4">
          {open.status === 'loading' && open.case === null ? (
            <p role="status" className="text-text-quiet">
              {words('loading')}
            </p>
          ) : null}
          {open.status === 'failed' ? <CaseLoadError again={() => void adminQueues.reloadOpen()} /> : null}
          {open.case?.queue === 'reports' ? <ReportView report={open.case.case} busy={state.busy} /> : null}
          {open.case?.queue === 'appeals' ? <AppealView appeal={open.case.case} busy={state.busy} /> : null}
        </div>
      )}
    </li>
  );
}

function EntryHeadline({ one }: { one: QueueRow }) {
  const words = useTranslate('adminReports');
  const reasons = useTranslate('report');
  if (one.queue === 'appeals') {
    return (
      <span className="font-medium">
        {words(one.row.measure_id === null ? 'subject_refusedText' : 'subject_decision')}
      </span>
    );
  }
  const { subject, name, reason, open_beside: openReports } = one.row;
  return (
    <>
      <span className="font-medium">{reasons(`reason_${reason}`)}</span>
      <span>{words(`subject_${subject}`)}</span>
      <span className="text-text-quiet" translate="no">
        {name ?? words('notPublic')}
      </span>
      {openReports > 0 ? (
        <span className="text-sm text-text-quiet">{words('otherOpenReports', { number: openReports })}</span>
      ) : null}
    </>
  );
}
