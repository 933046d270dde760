import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef, useState, type RefObject } from 'react';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { REPORT_REASONS } from '../../features/moderation/report-reasons.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import type { Failure } from '../shared/api.ts';
import { FieldWithCounter, getDescriptionIds } from '../shared/ui/FieldWithCounter.tsx';
import { formatFailure } from '../shared/errors.ts';
import { TranslationProvider, useLang, useTranslate, type Dictionary } from '../shared/i18n.tsx';
import { useOnline } from '../shared/online.ts';
import { getSession } from '../shared/session-state.ts';
import { FIELD, LINK, PRIMARY, SECONDARY } from '../shared/styles.ts';
import {
  getReportDeps,
  createReportStore,
  validateReport,
  type ReportStore as Reporting,
  type ReportedTarget,
  type ReportState,
} from './report-state.ts';
import { type ReportTarget, parseReportTarget } from './report-target.ts';
import { getReturnLink, type ReturnLink } from './return-link.ts';
import '../admin/admin-layout.css';

/**
 * The form to report a character, a message of it, or a creator.
 * @param kind subject of the page; the address may name a message of the character
 * @param character the public data; null if only the current user may be able to see it
 */
export function ReportPage({
  lang,
  dictionary,
  kind = 'character',
  id,
  character,
}: {
  lang: string;
  dictionary: Dictionary<'report' | 'errors'>;
  kind?: 'character' | 'creator';
  id: string;
  character: ReportedTarget | null;
}) {
  // The page is cached for all users, so read the address in the browser.
  const [target, setTarget] = useState<ReportTarget>(kind === 'creator' ? { kind, id } : { kind, id });
  useEffect(() => {
    if (kind === 'character') setTarget(parseReportTarget(id, location.search));
  }, [kind, id]);
  return (
    <TranslationProvider lang={lang} dictionary={dictionary}>
      <ReportView key={target.kind} target={target} known={target.kind === 'message' ? null : character} />
    </TranslationProvider>
  );
}

/** The referrer is only known in the browser. */
function useReturnLink({ kind, id }: ReportTarget): ReturnLink {
  const lang = useLang();
  const info = `/${lang}/character-info/${encodeURIComponent(id)}`;
  const creator = kind === 'creator' ? `/creator/${encodeURIComponent(id)}` : null;
  const [way, setWay] = useState<ReturnLink>(
    creator === null ? { to: 'character', href: info } : { to: 'creator', href: creator },
  );
  useEffect(() => {
    if (creator === null) setWay(getReturnLink(document.referrer, { origin: location.origin, info }));
  }, [creator, info]);
  return way;
}

const RETURN_KEYS = { chat: 'backToChat', character: 'backToCharacter', creator: 'backToCreator' } as const;
const INTRO_KEYS = { character: 'intro', creator: 'introCreator', message: 'introMessage' } as const;

function ReportView({ target, known }: { target: ReportTarget; known: ReportedTarget | null }) {
  const [report] = useState(() => createReportStore(target.id, known, getReportDeps(target)));
  const state = useStore(report.$report);
  const words = useTranslate('report');
  const back = useReturnLink(target);
  const { status, character } = state;
  useEffect(() => {
    if (known !== null) return;
    // A logged-out visitor logs in first and then returns to this page.
    void getSession().then(({ user }) => (user === null ? undefined : report.loadTarget()));
  }, [known, report]);
  const name = character === null ? null : sanitizeText(character.name);
  const ofMessage = target.kind === 'message';
  const title = name === null ? words('titleUnknown') : words(ofMessage ? 'titleMessage' : 'title', { name });
  useEffect(() => {
    if (known === null && name !== null)
      document.title = document.title.replace(words('titleUnknown'), title);
  }, [known, name, title, words]);
  if (status === 'missing') return <TargetNotFound />;
  return (
    <>
      <header className="flex items-center gap-4">
        {character === null || character.avatar_url === null ? null : (
          <img
            src={character.avatar_url}
            alt=""
            width="60"
            height="80"
            className="h-20 w-15 shrink-0 rounded-sm bg-surface-2 object-cover"
          />
        )}
        <h1 className="min-w-0">{title}</h1>
      </header>
      {status === 'sent' ? <ReportSent kind={target.kind} back={back} /> : null}
      {status === 'looking' || status === 'lookFailed' ? (
        <TargetLoader state={state} report={report} />
      ) : null}
      {status === 'writing' || status === 'sending' ? (
        <ReportForm kind={target.kind} state={state} report={report} back={back} />
      ) : null}
    </>
  );
}

function TargetLoader({ state, report }: { state: ReportState; report: Reporting }) {
  const words = useTranslate('report');
  if (state.status === 'looking') {
    return (
      <p role="status" className="text-text-quiet">
        {words('loading')}
      </p>
    );
  }
  return (
    <div role="alert" className="flex flex-col items-start gap-3">
      <p>{words('loadFailed')}</p>
      <button type="button" className={SECONDARY} onClick={() => void report.loadTarget()}>
        {words('tryAgain')}
      </button>
    </div>
  );
}

function TargetNotFound() {
  const words = useTranslate('report');
  return (
    <div role="status" className="flex flex-col items-start gap-3">
      <h1>{words('missingTitle')}</h1>
      <p className="text-text-quiet">{words('missingText')}</p>
    </div>
  );
}

function ReportSent({ kind, back }: { kind: ReportTarget['kind']; back: ReturnLink }) {
  const words = useTranslate('report');
  const statusElement = useRef<HTMLDivElement>(null);
  useEffect(() => statusElement.current?.focus(), []);
  return (
    <div
      ref={statusElement}
      role="status"
      tabIndex={-1}
      className="flex flex-col items-start gap-3 outline-none"
    >
      <h2>{words('sentTitle')}</h2>
      <p className="max-w-[var(--measure)] text-text-quiet">
        {words(kind === 'character' ? 'sentText' : 'sentTextOther')} {words('sentAnswer')}
      </p>
      <a className={PRIMARY} href={back.href}>
        {words(RETURN_KEYS[back.to])}
      </a>
    </div>
  );
}

function ReportForm({
  kind,
  state,
  report,
  back,
}: {
  kind: ReportTarget['kind'];
  state: ReportState;
  report: Reporting;
  back: ReturnLink;
}) {
  const words = useTranslate('report');
  const online = useOnline();
  const reasons = useRef<HTMLFieldSetElement>(null);
  const details = useRef<HTMLTextAreaElement>(null);
  const sending = state.status === 'sending';
  const send = async () => {
    await report.send();
    const trouble = validateReport(report.$report.get());
    if (trouble === 'reason') reasons.current?.querySelector('input')?.focus();
    if (trouble === 'details') details.current?.focus();
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <p className="max-w-[var(--measure)] text-text-quiet">{words(INTRO_KEYS[kind])}</p>
      {online ? null : (
        <p role="status" className="border-s-2 border-state ps-3">
          {words('offline')}
        </p>
      )}
      <ReasonField ref={reasons} state={state} report={report} />
      <DetailsField ref={details} state={state} report={report} />
      <ReportError failure={state.failure} />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <button type="submit" className={`${PRIMARY} min-w-40`} aria-busy={sending} disabled={sending}>
          {words(sending ? 'sending' : 'send')}
        </button>
        <a className={`${LINK} row-link`} href={back.href}>
          {words(RETURN_KEYS[back.to])}
        </a>
      </div>
    </form>
  );
}

function ReasonField({
  ref,
  state,
  report,
}: {
  ref: RefObject<HTMLFieldSetElement | null>;
  state: ReportState;
  report: Reporting;
}) {
  const words = useTranslate('report');
  const id = useId();
  const missing = validateReport(state) === 'reason';
  return (
    <fieldset ref={ref} aria-describedby={`${id}-wrong`} className="min-w-0">
      <legend className="mb-2 font-serif text-[length:var(--step-1)]">{words('reasonLabel')}</legend>
      <ul className="border-b border-line">
        {REPORT_REASONS.map((reason) => (
          <li key={reason} className="border-t border-line">
            <label className="flex min-h-11 items-center gap-3 py-1">
              <input
                type="radio"
                name={`${id}-reason`}
                value={reason}
                checked={state.reason === reason}
                disabled={state.status === 'sending'}
                aria-describedby={`${id}-wrong`}
                className="size-5 shrink-0 accent-accent"
                onChange={() => report.write({ reason })}
              />
              <span>{words(`reason_${reason}`)}</span>
            </label>
          </li>
        ))}
      </ul>
      <p id={`${id}-wrong`} role="status" className="pt-1 text-sm text-danger empty:hidden">
        {missing ? words('reasonMissing') : null}
      </p>
    </fieldset>
  );
}

function DetailsField({
  ref,
  state,
  report,
}: {
  ref: RefObject<HTMLTextAreaElement | null>;
  state: ReportState;
  report: Reporting;
}) {
  const words = useTranslate('report');
  const id = useId();
  const limit = TEXT_LIMITS.reportDetails;
  const used = state.details.length;
  const over = used > limit;
  return (
    <FieldWithCounter
      id={id}
      label={words('detailsLabel')}
      titled
      length={words('textLength', { used, limit })}
      over={over}
      note={words('detailsNote')}
      wrong={over ? words('detailsTooLong', { limit }) : null}
    >
      <textarea
        ref={ref}
        id={id}
        rows={5}
        dir="auto"
        autoComplete="off"
        className={`${FIELD} resize-y`}
        value={state.details}
        readOnly={state.status === 'sending'}
        aria-invalid={over}
        aria-describedby={getDescriptionIds(id)}
        onChange={(event) => report.write({ details: event.target.value })}
      />
    </FieldWithCounter>
  );
}

/** Explains why sending failed. The text stays. */
function ReportError({ failure }: { failure: Failure | null }) {
  const words = useTranslate('report');
  const errors = useTranslate('errors');
  const lang = useLang();
  return (
    <div role="alert" className="empty:hidden">
      {failure === null ? null : (
        <>
          <p className="text-danger">{words('failed')}</p>
          {failure.status >= 500 ? null : <p>{formatFailure(failure, errors, lang)}</p>}
          <p className="text-text-quiet">{words('textKept')}</p>
        </>
      )}
    </div>
  );
}
