import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { FeedbackReadState, ReceivedFeedback } from '../../features/feedback/contract.ts';
import { formatDayAndTime, getLanguageName } from '../../locales/format.ts';
import { AdminHeader, AdminLayout, type AdminLayoutProps } from '../admin/AdminLayout.tsx';
import { CaseLoadError, QuotedText, useRunAction } from '../admin-reports/case-components.tsx';
import { recentLoginClient } from '../sign-in/recent-login.ts';
import { encodePathPart, type Failure, readJson } from '../shared/api.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { createPagedList, type PagedList } from '../shared/paged-list.ts';
import { LINK, SECONDARY } from '../shared/styles.ts';
import { ShowMore } from '../shared/ui/ShowMore.tsx';
import '../admin/admin-layout.css';

type FeedbackList = PagedList<ReceivedFeedback>;

const createFeedbackList = (): FeedbackList =>
  createPagedList({
    fetchPage: (cursor) =>
      readJson(recentLoginClient.admin.feedback.$get({ query: cursor === undefined ? {} : { cursor } })),
    getId: ({ id }) => id,
  });

/** The admin page of the feedback that people sent. */
export function AdminFeedback(room: AdminLayoutProps<'adminReports' | 'errors'>) {
  return (
    <AdminLayout {...room}>
      <FeedbackView />
    </AdminLayout>
  );
}

function FeedbackView() {
  const words = useTranslate('admin');
  const caseWords = useTranslate('adminReports');
  const [feedback] = useState(createFeedbackList);
  const { status, items, nextCursor, more } = useStore(feedback.$list);
  useEffect(() => void feedback.load(), [feedback]);
  return (
    <div className="own">
      <AdminHeader
        here="feedback"
        heading={words('feedback')}
        about={words('feedbackIntro')}
        offline={words('offline')}
      />
      <div className="min-w-0">
        <ul aria-label={words('feedback')} className="rows">
          {items.map((one) => (
            <FeedbackRow key={one.id} feedback={one} list={feedback} />
          ))}
        </ul>
        {status === 'loading' || status === 'idle' ? (
          <p role="status" className="text-text-quiet">
            {caseWords('loading')}
          </p>
        ) : null}
        {status === 'ready' && items.length === 0 ? <p role="status">{words('feedbackEmpty')}</p> : null}
        {status === 'failed' ? <CaseLoadError again={() => void feedback.load()} /> : null}
        {nextCursor === null ? null : (
          <ShowMore
            more={more}
            label={caseWords(more === 'loading' ? 'loading' : 'showMore')}
            failed={caseWords('loadFailed')}
            show={() => void feedback.showMore()}
          />
        )}
      </div>
    </div>
  );
}

/** Marks feedback as read or unread. @returns the failure; null on success */
async function markFeedback(list: FeedbackList, id: string, read: boolean): Promise<Failure | null> {
  const answer = await readJson<FeedbackReadState>(
    recentLoginClient.admin.feedback[':id'].$patch({ param: { id: encodePathPart(id) }, json: { read } }),
  );
  if (!answer.ok) return answer;
  list.updateItem(id, { read_at: answer.data.read_at });
  return null;
}

function FeedbackRow({ feedback, list }: { feedback: ReceivedFeedback; list: FeedbackList }) {
  const words = useTranslate('admin');
  const lang = useLang();
  const doing = useRunAction();
  const [isBusy, setIsBusy] = useState(false);
  const { id, message, email, language, sender, created_at: at, read_at: readAt } = feedback;
  const label = words(readAt === null ? 'feedbackMarkRead' : 'feedbackMarkUnread');
  const mark = async () => {
    setIsBusy(true);
    await doing(markFeedback(list, id, readAt === null), null);
    setIsBusy(false);
  };
  return (
    <li className="flex flex-col items-start gap-2">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm text-text-quiet">
        {readAt === null ? <span className="badge">{words('feedbackUnread')}</span> : null}
        {sender === null ? (
          <span>{words('feedbackNoSender')}</span>
        ) : (
          <a className={`${LINK} row-link`} href={`/admin-people?q=${encodeURIComponent(sender.id)}`}>
            {words('feedbackFrom', { name: sender.name })}
          </a>
        )}
        {sender?.is_member === true ? <span className="badge">{words('feedbackMember')}</span> : null}
        <time dateTime={at}>{formatDayAndTime(at, lang)}</time>
        <span>{getLanguageName(language, lang)}</span>
      </p>
      <QuotedText text={message} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <button
          type="button"
          className={SECONDARY}
          disabled={isBusy}
          aria-busy={isBusy}
          onClick={() => void mark()}
        >
          {label}
        </button>
        {email === null ? null : (
          <a
            className={`${LINK} row-link [overflow-wrap:anywhere]`}
            href={`mailto:${encodeURIComponent(email)}`}
          >
            {email}
          </a>
        )}
      </div>
    </li>
  );
}
