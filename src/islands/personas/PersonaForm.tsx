import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef, useState } from 'react';
import type { Persona } from '../../features/persona/contract.ts';
import type { Failure } from '../shared/api.ts';
import { AppealPrompt } from '../safety/Appeal.tsx';
import { DialogHead, PANEL } from '../shared/ui/DialogHead.tsx';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { Icon } from '../shared/ui/Icon.tsx';
import { Modal } from '../shared/ui/Modal.tsx';
import { useReturnFocus } from '../shared/ui/return-focus.ts';
import { ICON, LINK, PRIMARY, QUIET, SECONDARY } from '../shared/styles.ts';
import { showToast } from '../shared/toasts-state.ts';
import { PersonaCharacterField } from './PersonaCharacterField.tsx';
import { PersonaField } from './PersonaField.tsx';
import { PersonaPictureField } from './PersonaPictureField.tsx';
import {
  toDraft,
  isPersonaChanged,
  toFields,
  validatePersonaField,
  type PersonaDraft,
} from './persona-form.ts';
import { personasStore } from './personas-state.ts';
import { canBuyMore, formatPersonaError } from './persona-messages.ts';

/** What the form was opened with. */
export interface OpenForm {
  /** The persona to edit; null for a new one. */
  id: string | null;
  /** The stored persona. */
  from: Omit<Persona, 'id'> | null;
  /** Initial text that is not stored anywhere. */
  written?: Omit<Persona, 'id'>;
}

/** The form for a new or stored persona. Asks before closing with unsaved changes. */
export function PersonaForm({ form, onClose }: { form: OpenForm | null; onClose: () => void }) {
  const titleId = useId();
  const words = useTranslate('personas');
  const [unsaved, setUnsaved] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const close = () => {
    setUnsaved(false);
    setLeaving(false);
    onClose();
  };
  // While the question is shown, Escape means to stay.
  const requestClose = () => (unsaved ? setLeaving(!leaving) : close());
  useReturnFocus(form !== null);
  return (
    <Modal open={form !== null} onClose={requestClose} labelledBy={titleId} className={PANEL}>
      <DialogHead
        titleId={titleId}
        title={words(form?.id == null ? 'createTitle' : 'editTitle')}
        after={
          <button
            type="button"
            className={`${ICON} -me-3 -mt-2`}
            aria-label={words('close')}
            onClick={requestClose}
          >
            <Icon name="close" />
          </button>
        }
      />
      {form === null ? null : (
        <PersonaFields
          form={form}
          leaving={leaving}
          setUnsaved={setUnsaved}
          leave={requestClose}
          stay={() => setLeaving(false)}
          close={close}
        />
      )}
    </Modal>
  );
}

function PersonaFields({
  form,
  leaving,
  setUnsaved,
  leave,
  stay,
  close,
}: {
  form: OpenForm;
  /** Whether the question about unsaved changes is shown. */
  leaving: boolean;
  setUnsaved: (unsaved: boolean) => void;
  leave: () => void;
  stay: () => void;
  close: () => void;
}) {
  const words = useTranslate('personas');
  const from = toDraft(form.from);
  const [id, setId] = useState(form.id);
  const [draft, setDraft] = useState<PersonaDraft>(() => toDraft(form.written ?? form.from));
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const name = useRef<HTMLInputElement>(null);
  const description = useRef<HTMLTextAreaElement>(null);
  const unsaved = isPersonaChanged(draft, from);

  useEffect(() => {
    if (!leaving) name.current?.focus();
  }, [leaving]);
  useEffect(() => setUnsaved(unsaved), [setUnsaved, unsaved]);
  useEffect(() => {
    if (!unsaved) return;
    const onBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onBeforeUnload);
    return () => window.removeEventListener('beforeunload', onBeforeUnload);
  }, [unsaved]);

  const write = (part: Partial<PersonaDraft>) => {
    // An upload may end after the texts were changed.
    setDraft((before) => ({ ...before, ...part }));
    setFailure(null);
  };
  const save = async () => {
    setIsSubmitted(true);
    if (validatePersonaField(draft, 'name')) return name.current?.focus();
    if (validatePersonaField(draft, 'description')) return description.current?.focus();
    setBusy(true);
    const answer = await personasStore.save(id, toFields(draft, id === null ? toDraft(null) : from));
    setBusy(false);
    if (!answer.ok) {
      setFailure(answer);
      // The persona was deleted elsewhere; save the text as a new one instead.
      if (answer.status === 404) setId(null);
      return;
    }
    showToast({ text: words(id === null ? 'created' : 'saved', { name: answer.data.name }) });
    close();
  };

  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void save();
      }}
    >
      <PersonaPictureField draft={draft} write={write} />
      <PersonaField ref={name} field="name" draft={draft} tried={isSubmitted} write={write} />
      <PersonaField ref={description} field="description" draft={draft} tried={isSubmitted} write={write} />
      <PersonaCharacterField character={draft.character} write={write} />
      <DefaultSwitch on={draft.is_default} flip={() => write({ is_default: !draft.is_default })} />
      <PersonaFormError failure={failure} isNew={form.id === null} />
      {leaving ? (
        <DiscardDialog stay={stay} go={close} />
      ) : (
        <div className="flex flex-wrap justify-end gap-3">
          <button type="button" className={QUIET} onClick={leave}>
            {words('cancel')}
          </button>
          <button type="submit" className={`${PRIMARY} min-w-32`} aria-busy={busy} disabled={busy}>
            {words(busy ? 'saving' : 'save')}
          </button>
        </div>
      )}
    </form>
  );
}

function DefaultSwitch({ on, flip }: { on: boolean; flip: () => void }) {
  const words = useTranslate('personas');
  const id = useId();
  return (
    <div className="flex flex-col border-t border-line pt-3">
      <button
        type="button"
        role="switch"
        aria-checked={on}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-note`}
        className="switch -mx-3 w-auto!"
        onClick={flip}
      >
        <span id={`${id}-label`}>{words('defaultLabel')}</span>
        <span className="switch-track" />
      </button>
      <p id={`${id}-note`} className="text-sm text-text-quiet">
        {words('defaultNote')}
      </p>
    </div>
  );
}

/** Explains why saving failed, with a next step if there is one. The text stays. */
function PersonaFormError({ failure, isNew }: { failure: Failure | null; isNew: boolean }) {
  const state = useStore(personasStore.$personas);
  const words = useTranslate('personas');
  const errors = useTranslate('errors');
  const lang = useLang();
  const full = failure?.code === 'persona_limit';
  const offersMore = full && canBuyMore(state);
  const common = isNew ? 'persona_create_failed' : 'persona_update_failed';
  const sentence = () => {
    if (failure === null) return null;
    if (failure.status === 404) return words('deletedElsewhere');
    if (failure.fields?.['character_id']) return words('characterUnavailable');
    if (failure.fields?.['avatar_id']) return words('pictureUnavailable');
    if (full && !offersMore) return words('limitReachedPaid');
    return formatPersonaError(failure, errors, { lang, common, limit: state.limit });
  };
  const refused = failure?.refused;
  return (
    <>
      <div role="alert" className="text-danger empty:hidden">
        {sentence()}
        {offersMore ? (
          <a className={`${LINK} row-link ms-2`} href="/membership" target="_blank">
            {words('comparePlansLink')}
          </a>
        ) : null}
      </div>
      {refused === undefined ? null : (
        <AppealPrompt key={refused.text} refused={{ place: 'persona', ...refused }} />
      )}
    </>
  );
}

/** Asks whether to discard unsaved changes. */
function DiscardDialog({ stay, go }: { stay: () => void; go: () => void }) {
  const words = useTranslate('personas');
  const id = useId();
  const question = useRef<HTMLDivElement>(null);
  const firstInvalidField = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    firstInvalidField.current?.focus();
    question.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div
      ref={question}
      role="group"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      className="flex flex-col gap-2 rounded-md bg-surface-2 p-3"
    >
      <p id={`${id}-title`} className="font-medium">
        {words('unsavedTitle')}
      </p>
      <p id={`${id}-text`} className="text-sm text-text-quiet">
        {words('unsavedText')}
      </p>
      <div className="flex flex-wrap gap-3">
        <button ref={firstInvalidField} type="button" className={SECONDARY} onClick={stay}>
          {words('unsavedKeepEditing')}
        </button>
        <button type="button" className={`${SECONDARY} button-danger`} onClick={go}>
          {words('unsavedDiscard')}
        </button>
      </div>
    </div>
  );
}
