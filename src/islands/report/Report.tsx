import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef, useState, type RefObject } from 'react';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { REPORT_REASONS } from '../../features/character/character-rules.ts';
import { sanitizeText } from '../../lib/visible-text.ts';
import type { Failure } from '../shared/api.ts';
import { CountedField, describedBy } from '../shared/ui/FieldWithCounter.tsx';
import { failureSentence } from '../shared/errors.ts';
import { Dictionaries, useLang, useWords, type Dictionary } from '../shared/i18n.tsx';
import { useOnline } from '../shared/online.ts';
import { knownSession } from '../shared/session-state.ts';
import { FIELD, LINK, PRIMARY, SECONDARY } from '../shared/styles.ts';
import {
  callsFor,
  createReport,
  reportTrouble,
  type Report as Reporting,
  type Reported,
  type ReportState,
} from './report-state.ts';
import { type ReportTarget, targetOf } from './report-target.ts';
import { wayBack, type WayBack } from './return-link.ts';
import '../admin/admin-layout.css';

/**
 * The form by which somebody says that a character, what it said, or whoever makes characters should not be here as it is.
 * @param kind what the page is about; an address may name a message of its character
 * @param character as everybody may see it; null when only whoever is here may know of it, if anybody
 */
export function Report({
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
  character: Reported | null;
}) {
  // The page is the same for everybody, so the address is read once it is here.
  const [target, setTarget] = useState<ReportTarget>(kind === 'creator' ? { kind, id } : { kind, id });
  useEffect(() => {
    if (kind === 'character') setTarget(targetOf(id, location.search));
  }, [kind, id]);
  return (
    <Dictionaries lang={lang} dictionary={dictionary}>
      <ReportView key={target.kind} target={target} known={target.kind === 'message' ? null : character} />
    </Dictionaries>
  );
}

/** Where one came from is known in the browser alone. */
function useWayBack({ kind, id }: ReportTarget): WayBack {
  const lang = useLang();
  const info = `/${lang}/character-info/${encodeURIComponent(id)}`;
  const creator = kind === 'creator' ? `/creator/${encodeURIComponent(id)}` : null;
  const [way, setWay] = useState<WayBack>(
    creator === null ? { to: 'character', href: info } : { to: 'creator', href: creator },
  );
  useEffect(() => {
    if (creator === null) setWay(wayBack(document.referrer, { origin: location.origin, info }));
  }, [creator, info]);
  return way;
}

const BACK = { chat: 'backToChat', character: 'backToCharacter', creator: 'backToCreator' } as const;
const INTRO = { character: 'intro', creator: 'introCreator', message: 'introMessage' } as const;

function ReportView({ target, known }: { target: ReportTarget; known: Reported | null }) {
  const [report] = useState(() => createReport(target.id, known, callsFor(target)));
  const state = useStore(report.$report);
  const words = useWords('report');
  const back = useWayBack(target);
  const { status, character } = state;
  useEffect(() => {
    if (known !== null) return;
    // Who has to log in first comes back to this page.
    void knownSession().then(({ user }) => (user === null ? undefined : report.look()));
  }, [known, report]);
  const name = character === null ? null : sanitizeText(character.name);
  const ofMessage = target.kind === 'message';
  const title = name === null ? words('titleUnknown') : words(ofMessage ? 'titleMessage' : 'title', { name });
  useEffect(() => {
    if (known === null && name !== null)
      document.title = document.title.replace(words('titleUnknown'), title);
  }, [known, name, title, words]);
  if (status === 'missing') return <Missing kind={target.kind} />;
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
      {status === 'sent' ? <Sent kind={target.kind} back={back} /> : null}
      {status === 'looking' || status === 'lookFailed' ? <Looking state={state} report={report} /> : null}
      {status === 'writing' || status === 'sending' ? (
        <Form kind={target.kind} state={state} report={report} back={back} />
      ) : null}
    </>
  );
}

function Looking({ state, report }: { state: ReportState; report: Reporting }) {
  const words = useWords('report');
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
      <button type="button" className={SECONDARY} onClick={() => void report.look()}>
        {words('tryAgain')}
      </button>
    </div>
  );
}

function Missing({ kind }: { kind: ReportTarget['kind'] }) {
  const words = useWords('report');
  return (
    <div role="status" className="flex flex-col items-start gap-3">
      <h1>{words('missingTitle')}</h1>
      <p className="text-text-quiet">{words(kind === 'character' ? 'missingText' : 'missingTextOther')}</p>
    </div>
  );
}

function Sent({ kind, back }: { kind: ReportTarget['kind']; back: WayBack }) {
  const words = useWords('report');
  const told = useRef<HTMLDivElement>(null);
  useEffect(() => told.current?.focus(), []);
  return (
    <div ref={told} role="status" tabIndex={-1} className="flex flex-col items-start gap-3 outline-none">
      <h2>{words('sentTitle')}</h2>
      <p className="max-w-[var(--measure)] text-text-quiet">
        {words(kind === 'character' ? 'sentText' : 'sentTextOther')} {words('sentAnswer')}
      </p>
      <a className={PRIMARY} href={back.href}>
        {words(BACK[back.to])}
      </a>
    </div>
  );
}

function Form({
  kind,
  state,
  report,
  back,
}: {
  kind: ReportTarget['kind'];
  state: ReportState;
  report: Reporting;
  back: WayBack;
}) {
  const words = useWords('report');
  const online = useOnline();
  const reasons = useRef<HTMLFieldSetElement>(null);
  const details = useRef<HTMLTextAreaElement>(null);
  const sending = state.status === 'sending';
  const send = async () => {
    await report.send();
    const trouble = reportTrouble(report.$report.get());
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
      <p className="max-w-[var(--measure)] text-text-quiet">{words(INTRO[kind])}</p>
      {online ? null : (
        <p role="status" className="border-s-2 border-state ps-3">
          {words('offline')}
        </p>
      )}
      <Reasons ref={reasons} state={state} report={report} />
      <Details ref={details} state={state} report={report} />
      <Trouble failure={state.failure} />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <button type="submit" className={`${PRIMARY} min-w-40`} aria-busy={sending} disabled={sending}>
          {words(sending ? 'sending' : 'send')}
        </button>
        <a className={`${LINK} row-link`} href={back.href}>
          {words(BACK[back.to])}
        </a>
      </div>
    </form>
  );
}

function Reasons({
  ref,
  state,
  report,
}: {
  ref: RefObject<HTMLFieldSetElement | null>;
  state: ReportState;
  report: Reporting;
}) {
  const words = useWords('report');
  const id = useId();
  const missing = reportTrouble(state) === 'reason';
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
      <p id={`${id}-wrong`} role="status" className="pt-1 text-sm text-harm empty:hidden">
        {missing ? words('reasonMissing') : null}
      </p>
    </fieldset>
  );
}

function Details({
  ref,
  state,
  report,
}: {
  ref: RefObject<HTMLTextAreaElement | null>;
  state: ReportState;
  report: Reporting;
}) {
  const words = useWords('report');
  const id = useId();
  const limit = TEXT_LIMITS.reportDetails;
  const used = state.details.length;
  const over = used > limit;
  return (
    <CountedField
      id={id}
      label={words('detailsLabel')}
      titled
      length={words('length', { used, limit })}
      over={over}
      note={words('detailsNote')}
      wrong={over ? words('detailsTooLong', { limit }) : null}
    >
      <textarea
        ref={ref}
        id={id}
        rows={5}
        dir="auto"
        className={`${FIELD} resize-y`}
        value={state.details}
        readOnly={state.status === 'sending'}
        aria-invalid={over}
        aria-describedby={describedBy(id)}
        onChange={(event) => report.write({ details: event.target.value })}
      />
    </CountedField>
  );
}

/** Why it did not arrive. What is written stays. */
function Trouble({ failure }: { failure: Failure | null }) {
  const words = useWords('report');
  const errors = useWords('errors');
  const lang = useLang();
  return (
    <div role="alert" className="empty:hidden">
      {failure === null ? null : (
        <>
          <p className="text-harm">{words('failed')}</p>
          {failure.status >= 500 ? null : <p>{failureSentence(failure, errors, lang)}</p>}
          <p className="text-text-quiet">{words('kept')}</p>
        </>
      )}
    </div>
  );
}
