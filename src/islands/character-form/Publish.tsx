import { useStore } from '@nanostores/react';
import { type RefObject, useEffect } from 'react';
import { formatTime } from '../../locales/format.ts';
import { AppealPrompt } from '../safety/Appeal.tsx';
import { useOnline } from '../shared/online.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { LINK, PRIMARY, QUIET, SECONDARY } from '../shared/styles.ts';
import { characterForm } from './character-form.ts';
import type { PublishCostStore } from './cost-state.ts';
import { getFieldId, focusField } from './fields/field-focus.ts';
import type { FieldName } from './form-rules.ts';
import { validateForm } from './form-state.ts';
import { formatFormError, isResultUnknown, formatRejectedField, formatFieldError } from './form-messages.ts';
import { useCharacterForm } from './use-field-errors.ts';

/** All errors, each with a link to its field. Takes the focus when saving fails. */
export function ErrorSummary({ ref }: { ref: RefObject<HTMLDivElement | null> }) {
  const words = useTranslate('create');
  const form = useCharacterForm();
  const { isSubmitted: tried, refused } = form;
  const found: { field: FieldName; index?: number; said: string }[] = [
    ...(tried
      ? validateForm(form).map((trouble) => ({
          ...trouble,
          said: formatFieldError(trouble, words),
        }))
      : []),
    ...refused.map((field) => ({ field, said: formatRejectedField(field, words) })),
  ];
  return (
    <div ref={ref} tabIndex={-1} role="group" aria-labelledby="form-summary" className="form-summary">
      {found.length === 0 ? null : (
        <>
          <p id="form-summary">{words('validationTitle')}</p>
          <ul>
            {found.map(({ field, index, said }) => (
              <li key={`${getFieldId(field, index)} ${said}`}>
                <button type="button" className={`${LINK} row-link`} onClick={() => focusField(field, index)}>
                  {said}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** The cost of creating or publishing and the user's points; for an imported private character, that it is free. */
export function PublishCost({ cost }: { cost: PublishCostStore }) {
  const { kept, importId, fields } = useCharacterForm();
  const { status, points, required, enough } = useStore(cost.$cost, { ssr: 'initial' });
  const words = useTranslate('create');
  const errors = useTranslate('errors');
  const lang = useLang();
  const online = useOnline();
  useEffect(() => {
    void cost.load();
  }, [cost, online]);
  if (status === 'failed') {
    return (
      <div className="actions">
        <p className="form-note">{words('pointsLoadFailed')}</p>
        <button type="button" className={SECONDARY} onClick={() => void cost.load()}>
          {words('tryAgain')}
        </button>
      </div>
    );
  }
  if (points === null || required === null) {
    return (
      <p role="status" className="form-note">
        {words('pointsLoading')}
      </p>
    );
  }
  const formattedCost = errors('points_count', { count: required });
  if (fields.visibility === 'private' && (kept !== null || importId !== null)) {
    return (
      <p role="status" className="form-note">
        {words('publishCostLater', { cost: formattedCost })}
      </p>
    );
  }
  return (
    <p role="status" className={enough ? 'form-note' : 'text-danger'}>
      {words(`${kept === null ? 'create' : 'publish'}Cost${enough ? '' : 'TooHigh'}`, {
        cost: formattedCost,
        balance: errors('points_count', { count: points.current_points + points.permanent_points }),
        time: formatTime(points.refills_at, lang),
      })}
    </p>
  );
}

/** Why saving failed. Unlike the toast that announced it, this message stays. */
export function FormErrorMessage({ required }: { required: number | null }) {
  const { trouble } = useCharacterForm();
  const words = useTranslate('create');
  const errors = useTranslate('errors');
  const lang = useLang();
  const refused = trouble !== null && 'failure' in trouble ? trouble.failure.refused : undefined;
  return (
    <>
      <p className="text-danger empty:hidden">
        {trouble === null ? null : formatFormError(trouble, words, errors, { lang, required })}
      </p>
      {refused === undefined ? null : (
        <AppealPrompt key={refused.text} refused={{ place: 'character', ...refused }} />
      )}
    </>
  );
}

/** The publish or save button, and the button that discards the changes. */
export function FormActions({ discard }: { discard: () => void }) {
  const words = useTranslate('create');
  const { kept, busy, fields, status, trouble } = useCharacterForm();
  const online = useOnline();
  const waiting = busy || status === 'done';
  const label =
    kept === null
      ? words(waiting ? 'publishing' : `publish_${fields.visibility}`)
      : words(waiting ? 'saving' : isResultUnknown(trouble) && online ? 'tryAgain' : 'save');
  const unsaved = characterForm.isUnsaved();
  return (
    <div className="actions">
      <button type="submit" className={PRIMARY} aria-busy={waiting}>
        {label}
      </button>
      {unsaved && !waiting ? (
        <button type="button" className={QUIET} onClick={discard}>
          {words(kept === null ? 'discardDraft' : 'discardChanges')}
        </button>
      ) : null}
    </div>
  );
}
