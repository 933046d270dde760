import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { queueFlashToast } from '../shared/flash-toast.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import type { DictionaryUrls } from '../shared/load-messages.ts';
import { LINK } from '../shared/styles.ts';
import { ERROR_TOAST_MS, showToast, UNDO_MS } from '../shared/toasts-state.ts';
import { characterForm } from './character-form.ts';
import { RadioGroup } from './fields/RadioGroup.tsx';
import type { PublishCostStore } from './cost-state.ts';
import { VisibilitySection } from './VisibilitySection.tsx';
import { measureField } from './form-rules.ts';
import { mayLackTraits } from './form-state.ts';
import { ImportCard } from './ImportCard.tsx';
import { AlternateGreetingsField, SuggestedRepliesField } from './fields/ListFields.tsx';
import { AdvancedSection } from './AdvancedSection.tsx';
import { PortraitField } from './PortraitField.tsx';
import { PublishCost, FormActions, FormErrorMessage, ErrorSummary } from './Publish.tsx';
import { formatFormError, isResultUnknown } from './form-messages.ts';
import { CharacterTextField } from './fields/TextField.tsx';
import { useCharacterForm, useFieldError } from './use-field-errors.ts';

/** The form of an opened character. */
export function FilledForm({
  cost,
  chatWords,
  ...findable
}: { cost: PublishCostStore; chatWords: DictionaryUrls<'chat'> } & Parameters<typeof VisibilitySection>[0]) {
  const words = useTranslate('create');
  const errors = useTranslate('errors');
  const lang = useLang();
  const { kept, isRestored: restored, trouble } = useCharacterForm();
  const { required } = useStore(cost.$cost, { ssr: 'initial' });
  const summary = useRef<HTMLDivElement>(null);
  const top = useRef<HTMLFormElement>(null);
  const [failedSaves, setFailedSaves] = useState(0);
  // Saving failed: move the focus to the error summary.
  useEffect(() => {
    if (failedSaves > 0 && summary.current?.textContent !== '') summary.current?.focus();
  }, [failedSaves]);
  const unanswered = isResultUnknown(trouble);
  useEffect(() => {
    if (!unanswered) return;
    const offer = () =>
      showToast({
        text: words('backOnlineUnsaved'),
        durationMs: UNDO_MS,
        action: { label: words('tryAgain'), run: () => top.current?.requestSubmit() },
      });
    window.addEventListener('online', offer);
    return () => window.removeEventListener('online', offer);
  }, [unanswered, words]);

  const save = async () => {
    const isNew = kept === null;
    const saved = await characterForm.save();
    if (saved !== null) {
      const { id, name, visibility } = saved;
      const page = `/${lang}/character-info/${encodeURIComponent(id)}`;
      if (!isNew) {
        const action = { label: words('savedView'), run: () => location.assign(page) };
        return void showToast({ text: words('saved', { name }), action });
      }
      const hint = findable.hasSpicy && saved.looks_sexual === true ? ` ${words('adultsSuggestion')}` : '';
      queueFlashToast(`${words('published', { name })}${hint}`);
      // A private character has no page in the public cache; its creator finds it in the creator center.
      location.assign(visibility === 'private' ? `/${lang}/creator-center` : page);
      return;
    }
    const { trouble: foundTimes } = characterForm.$form.get();
    if (foundTimes !== null)
      showToast({
        text: formatFormError(foundTimes, words, errors, { lang, required }),
        kind: 'danger',
        durationMs: ERROR_TOAST_MS,
      });
    if (foundTimes !== null && 'failure' in foundTimes && foundTimes.failure.status === 402) void cost.load();
    setFailedSaves((times) => times + 1);
  };
  const discard = () => {
    const undoDiscard = characterForm.discard();
    top.current?.focus({ preventScroll: true });
    showToast({
      text: words(kept === null ? 'draftDiscarded' : 'changesDiscarded'),
      durationMs: UNDO_MS,
      action: { label: words('undo'), run: undoDiscard },
    });
  };

  return (
    <form
      ref={top}
      noValidate
      tabIndex={-1}
      aria-label={words(kept === null ? 'title' : 'editTitle')}
      className="character-form"
      onSubmit={(event) => {
        event.preventDefault();
        // The form has the numbers of a reply style once they are valid; an invalid one must not look saved.
        const number = top.current?.querySelector<HTMLInputElement>(
          '.recommended-style-fields input:invalid',
        );
        if (number == null) void save();
        else number.reportValidity();
      }}
    >
      <StatusNotes />
      {restored ? (
        <p role="status" className="form-line">
          {words('draftRestored')}
        </p>
      ) : null}
      {kept === null ? <ImportCard /> : null}
      <div className="form-columns">
        <PortraitField />
        <div className="form-parts">
          <FormSection title={words('profileTitle')}>
            <TextFields fields={['name', 'oneliner']} />
          </FormSection>
          <FormSection title={words('personalityTitle')}>
            <TextFields fields={['character_traits', 'first_message']} />
            <MacroHelp />
            <AlternateGreetingsField />
            <SuggestedRepliesField />
          </FormSection>
          <FormSection title={words('modelAndViewTitle')}>
            <StorytellingFields />
          </FormSection>
          <FormSection title={words('tagsAndVisibilityTitle')}>
            <VisibilitySection {...findable} />
          </FormSection>
          <AdvancedSection chatWords={chatWords} />
          <div className="form-end">
            <ErrorSummary ref={summary} />
            <FormErrorMessage required={required} />
            {kept === null || kept.fee_due === true ? <PublishCost cost={cost} /> : null}
            {kept === null ? null : <p className="form-note">{words('versionNote')}</p>}
            <FormActions discard={discard} />
          </div>
        </div>
      </div>
    </form>
  );
}

function FormSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="form-part">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** The moderation or trash status of an existing character. */
function StatusNotes() {
  const words = useTranslate('create');
  const lang = useLang();
  const { kept } = useCharacterForm();
  if (kept === null || (kept.moderation === 'shown' && kept.deleted_at === undefined)) return null;
  const what =
    kept.deleted_at !== undefined ? 'trashed' : kept.moderation === 'removed' ? 'removed' : 'hidden';
  return (
    <p role="note" className="form-line">
      {words(what)}{' '}
      <a className={`${LINK} row-link`} href={`/${lang}/creator-center`}>
        {words('myCharactersLink')}
      </a>
      {what === 'trashed' ? null : (
        <a className={`${LINK} row-link ms-4`} href="/account#decisions">
          {words('moderationReasonLink')}
        </a>
      )}
    </p>
  );
}

const ROWS = { name: undefined, oneliner: undefined, character_traits: 10, first_message: 6 } as const;

function TextFields({ fields }: { fields: readonly (keyof typeof ROWS)[] }) {
  const form = useCharacterForm();
  const { fields: written } = form;
  const wrong = useFieldError();
  return fields.map((field) => {
    const { used, limit } = measureField(field, written[field]);
    return (
      <CharacterTextField
        key={field}
        field={field}
        optional={field === 'first_message' || (field === 'character_traits' && mayLackTraits(form))}
        value={written[field]}
        counted={used}
        limit={limit}
        rows={ROWS[field]}
        wrong={wrong(field)}
        write={(value) => characterForm.write({ [field]: value })}
      />
    );
  });
}

/** The macros that insert names into texts. */
function MacroHelp() {
  const words = useTranslate('create');
  return (
    <div className="form-macros">
      <p>{words('placeholdersTitle')}</p>
      <ul>
        <li>
          <code>{'{{user}}'}</code> {words('placeholderUser')}
        </li>
        <li>
          <code>{'{{char}}'}</code> {words('placeholderChar')}
        </li>
      </ul>
    </div>
  );
}

const MODEL_TYPES = ['roleplay', 'chatgpt'] as const;
const POINTS_OF_VIEW = ['normal', 'multiPeople', 'rpg', 'reverse'] as const;

/** The model type and the point of view of the conversation. */
function StorytellingFields() {
  const words = useTranslate('create');
  const { fields } = useCharacterForm();
  return (
    <>
      <RadioGroup
        name="model_type"
        label={words('model_typeLabel')}
        note={words('model_typeNote')}
        choices={MODEL_TYPES.map((value) => ({
          value,
          label: words(`model_${value}`),
          note: words(`model_${value}Note`),
          ...(value === 'roleplay' ? { badge: words('recommendedBadge') } : {}),
        }))}
        chosen={fields.model_type}
        choose={(model_type) => characterForm.write({ model_type })}
      />
      <RadioGroup
        name="point_of_view"
        label={words('point_of_viewLabel')}
        choices={POINTS_OF_VIEW.map((value) => ({
          value,
          label: words(`view_${value}`),
          note: words(`view_${value}Note`),
        }))}
        chosen={fields.point_of_view}
        choose={(point_of_view) => characterForm.write({ point_of_view })}
      />
    </>
  );
}
