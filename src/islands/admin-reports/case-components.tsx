import { useId, useState, type ReactNode } from 'react';
import { STAFF_LIMITS } from '../../features/moderation/limits.ts';
import type { ModerationAction } from '../../features/moderation/moderation-action-contract.ts';
import type { CaseStep } from '../../features/moderation/staff-contract.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { formatDayAndTime } from '../../locales/format.ts';
import type { Failure } from '../shared/api.ts';
import { formatFailure } from '../shared/errors.ts';
import { type MessageKey, useLang, useTranslate } from '../shared/i18n.tsx';
import { FIELD, SECONDARY } from '../shared/styles.ts';
import { ERROR_TOAST_MS, showToast } from '../shared/toasts-state.ts';
import { adminQueues } from './admin-reports-state.ts';

/** A titled section of a case. */
export function CaseSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h2 id={id} className="text-[length:var(--step-1)] text-text-quiet">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Error message with a retry button. */
export function CaseLoadError({ again }: { again: () => void }) {
  const words = useTranslate('adminReports');
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p>{words('loadFailed')}</p>
      <button type="button" className={SECONDARY} onClick={again}>
        {words('tryAgain')}
      </button>
    </div>
  );
}

/** A user's text, shown unchanged except for control characters. */
export function QuotedText({ text }: { text: string }) {
  return (
    <p dir="auto" className="max-w-[var(--measure)] whitespace-pre-wrap [overflow-wrap:anywhere]">
      {sanitizeText(text)}
    </p>
  );
}

/**
 * Awaits an action and shows a toast with its outcome. @returns true on success
 * @param done the toast's text on success; null for none, if the page shows the outcome
 */
export function useRunAction(): (act: Promise<Failure | null>, done: string | null) => Promise<boolean> {
  const errors = useTranslate('errors');
  const lang = useLang();
  return async (act, done) => {
    const failure = await act;
    if (failure !== null)
      showToast({
        text: formatFailure(failure, errors, lang),
        kind: 'danger',
        durationMs: ERROR_TOAST_MS,
      });
    else if (done !== null) showToast({ text: done });
    return failure === null;
  };
}

/** A text field for staff, with its length limit. */
export function StaffTextField({
  label,
  limit,
  value,
  wrong = null,
  write,
}: {
  label: string;
  limit: number;
  value: string;
  wrong?: string | null;
  write: (text: string) => void;
}) {
  const words = useTranslate('adminReports');
  const id = useId();
  const over = value.length > limit;
  return (
    <div className="flex max-w-[var(--measure)] flex-col gap-1">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={3}
        dir="auto"
        className={`${FIELD} resize-y`}
        value={value}
        aria-invalid={over || wrong !== null}
        aria-describedby={`${id}-wrong ${id}-length`}
        onChange={(event) => write(event.target.value)}
      />
      <p className="flex flex-wrap justify-between gap-x-4 text-sm">
        <span id={`${id}-wrong`} role="status" className="text-danger">
          {over ? words('textTooLong', { limit }) : wrong}
        </span>
        <span id={`${id}-length`} className={`tabular-nums ${over ? 'text-danger' : 'text-text-quiet'}`}>
          {words('textLength', { used: value.length, limit })}
        </span>
      </p>
    </div>
  );
}

/** Actions taken so far, with buttons to revoke them. */
export function ModerationActions({
  measures,
  busy,
}: {
  measures: readonly ModerationAction[];
  busy: boolean;
}) {
  const words = useTranslate('adminReports');
  if (measures.length === 0) return null;
  return (
    <CaseSection title={words('pastDecisionsTitle')}>
      <ModerationActionRows measures={measures} busy={busy} />
    </CaseSection>
  );
}

/** @param revoke revokes an action; by default as part of the open case */
export function ModerationActionRows({
  measures,
  busy,
  revoke = adminQueues.revokeAction,
}: {
  measures: readonly ModerationAction[];
  busy: boolean;
  revoke?: ((id: string) => Promise<Failure | null>) | undefined;
}) {
  const words = useTranslate('adminReports');
  const lang = useLang();
  const doing = useRunAction();
  return (
    <ul className="rows">
      {measures.map((measure) => {
        const what = words(`historyEntry_${measure.kind}`);
        return (
          <li key={measure.id} className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <div className="min-w-48 flex-1">
              <p>
                {what}
                <span className="text-text-quiet"> {sanitizeText(measure.subject_name)}</span>
              </p>
              {measure.reason === '' ? null : <QuotedText text={measure.reason} />}
              <p className="text-sm text-text-quiet">
                {measure.ended_at === null
                  ? formatDayAndTime(measure.created_at, lang)
                  : words('decisionReversedAt', { time: formatDayAndTime(measure.ended_at, lang) })}
              </p>
            </div>
            {measure.ended_at === null ? (
              <button
                type="button"
                className={SECONDARY}
                disabled={busy}
                aria-label={words('reverseNamed', { what })}
                onClick={() => void doing(revoke(measure.id), words('decisionReversed'))}
              >
                {words('reverse')}
              </button>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

/** The staff's steps in a case, in order. */
export function CaseHistory({ steps }: { steps: readonly CaseStep[] }) {
  const words = useTranslate('adminReports');
  const lang = useLang();
  if (steps.length === 0) return null;
  return (
    <CaseSection title={words('historyTitle')}>
      <ol className="rows">
        {steps.map(({ id, step, note, at, admin }) => (
          <li key={id}>
            <p className="text-sm">
              {words('historyEntry', {
                what: words(`historyEntry_${step}` as MessageKey<'adminReports'>),
                name: admin.name ?? words('deletedUser'),
                time: formatDayAndTime(at, lang),
              })}
            </p>
            {note === '' ? null : <QuotedText text={note} />}
          </li>
        ))}
      </ol>
    </CaseSection>
  );
}

/** State of a text field with a length limit in UTF-16 units. */
export function useBoundedText(limit: number): {
  value: string;
  write: (text: string) => void;
  /** The trimmed text; undefined when empty. */
  given: string | undefined;
  over: boolean;
  clear: () => void;
} {
  const [value, setValue] = useState('');
  const given = value.trim() === '' ? undefined : value.trim();
  return { value, write: setValue, given, over: value.length > limit, clear: () => setValue('') };
}

export const STAFF_TEXT_LIMITS = {
  answer: STAFF_LIMITS.maxAnswerChars,
  note: STAFF_LIMITS.maxNoteChars,
  reason: STAFF_LIMITS.maxReasonChars,
} as const;
