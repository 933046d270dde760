import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import type { Language } from '../../config/languages.ts';
import { useOnline } from '../shared/online.ts';
import type { DictionaryUrls } from '../shared/load-messages.ts';
import { TranslationProvider, type Dictionary, useLang, useTranslate } from '../shared/i18n.tsx';
import { $session } from '../shared/session-state.ts';
import { LINK, SECONDARY } from '../shared/styles.ts';
import { ERROR_TOAST_MS, PERMISSION_TOAST_MS, showToast } from '../shared/toasts-state.ts';
import { characterForm } from './character-form.ts';
import { createPublishCostStore } from './cost-state.ts';
import { useFileDrop } from './use-file-drop.ts';
import { FilledForm } from './FilledForm.tsx';
import type { TagNames } from './VisibilitySection.tsx';
import { formApi } from './form-api.ts';
import { TestChatButton } from './test-chat/TestChatButton.tsx';
import { useCharacterForm } from './use-field-errors.ts';
import '../admin/admin-layout.css';

interface FormOptions {
  /** Whether this site allows adult content. */
  hasSpicy: boolean;
  tagNames: TagNames;
  /** URLs of the chat translations, for the test chat. */
  chatWords: DictionaryUrls<'chat'>;
}

/** The form for a new or existing character, for logged-in users; the page itself asks everyone else to log in. */
export function CharacterForm({
  lang,
  dictionary,
  id = null,
  ...inside
}: {
  lang: Language;
  dictionary: Dictionary<'create' | 'picture' | 'errors'>;
  /** The character to edit; null for a new one. */
  id?: string | null;
} & FormOptions) {
  return (
    <TranslationProvider lang={lang} dictionary={dictionary}>
      <FormView id={id} {...inside} />
    </TranslationProvider>
  );
}

/** Opens the form for the current user, and again when the user changes. A logged-out user's form stays as it was. */
function useOpenForm(id: string | null): void {
  const user = useStore($session, { ssr: 'initial' }).auth?.user ?? null;
  const who = user === null || user.is_anonymous ? null : user.id;
  useEffect(() => {
    if (who !== null) void characterForm.open(who, id);
  }, [who, id]);
  useEffect(() => {
    if (who === null) return;
    const again = () => {
      if (characterForm.$form.get().status === 'failed') void characterForm.open(who, id);
    };
    // The back/forward cache may restore a page whose form was already published.
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted && characterForm.$form.get().status === 'done') void characterForm.open(who, id);
    };
    window.addEventListener('online', again);
    window.addEventListener('pageshow', onShow);
    return () => {
      window.removeEventListener('online', again);
      window.removeEventListener('pageshow', onShow);
    };
  }, [who, id]);
}

/** Saves the draft before the page is hidden or the user changes. */
function useSaveBeforeHide(): void {
  useEffect(() => {
    const { saveDraftNow: keepNow } = characterForm;
    // Phones may end a hidden page without another event.
    const onHide = () => document.hidden && keepNow();
    window.addEventListener('pagehide', keepNow);
    document.addEventListener('visibilitychange', onHide);
    // Logging out asks about unsaved drafts on the device, so the draft must be stored before the user reaches that
    // button.
    document.addEventListener('focusout', keepNow);
    // Flush a pending save before logging out clears the device, so that it cannot write the draft back afterwards.
    const stopListening = $session.listen(keepNow);
    return () => {
      keepNow();
      window.removeEventListener('pagehide', keepNow);
      document.removeEventListener('visibilitychange', onHide);
      document.removeEventListener('focusout', keepNow);
      stopListening();
    };
  }, []);
}

/** Makes the browser confirm leaving the page while the form has unsaved changes. */
function useLeaveWarning(unsaved: boolean): void {
  const wasSpicy = useRef<boolean | undefined>(undefined);
  useEffect(() => {
    if (!unsaved) return;
    const isSpicy = () => $session.get().auth?.user?.spicy_mode;
    wasSpicy.current = isSpicy();
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      // Do not ask after a logout, nor when the spicy switch reloads the page: the draft is restored afterwards.
      if (isSpicy() === undefined || isSpicy() !== wasSpicy.current) return;
      if (characterForm.isUnsaved()) event.preventDefault();
    };
    window.addEventListener('beforeunload', onBeforeUnload);
    return () => window.removeEventListener('beforeunload', onBeforeUnload);
  }, [unsaved]);
}

function FormView({ id, chatWords, ...findable }: { id: string | null } & FormOptions) {
  useOpenForm(id);
  useSaveBeforeHide();
  const form = useCharacterForm();
  const [cost] = useState(() => createPublishCostStore(formApi));
  const { refusal } = useStore(cost.$cost, { ssr: 'initial' });
  const online = useOnline();
  const words = useTranslate('create');
  const errors = useTranslate('errors');
  useLeaveWarning(characterForm.isUnsaved());
  // For a new character, ImportCard handles a dropped card.
  useFileDrop(() => {
    if (form.kept !== null)
      showToast({ text: words('dropRefused'), kind: 'danger', durationMs: ERROR_TOAST_MS });
  });
  const { status, who } = form;

  useEffect(() => {
    if (refusal === null) return;
    const text = refusal || errors('error_occurred');
    showToast({ text, kind: 'danger', position: 'top-right', durationMs: PERMISSION_TOAST_MS });
  }, [refusal, errors]);

  if (status === 'missing') return <CharacterNotFound />;
  if (status === 'failed') {
    return (
      <div role="alert" className="form-notice">
        <p>{words('loadFailed')}</p>
        <button
          type="button"
          className={SECONDARY}
          onClick={() => who !== null && void characterForm.open(who, id)}
        >
          {words('tryAgain')}
        </button>
      </div>
    );
  }
  if (status === 'idle' || status === 'loading') {
    return (
      // As high as the window, so that the footer is out of sight and does not move in it.
      <p role="status" className="min-h-svh text-text-quiet">
        {words('loading')}
      </p>
    );
  }
  if (form.kept === null && refusal !== null) {
    return (
      <div className="form-notice">
        <h2>{words('notAllowedTitle')}</h2>
        <p>{refusal || errors('error_occurred')}</p>
        <p className="form-note">{words('notAllowedText')}</p>
      </div>
    );
  }
  return (
    <>
      {online ? null : (
        <p role="status" className="form-line">
          {words(form.kept === null ? 'offline' : 'offlineEdit')}
        </p>
      )}
      <div key={`${who}-${form.kept?.id ?? ''}`} className="form-and-test">
        <FilledForm cost={cost} chatWords={chatWords} {...findable} />
        <TestChatButton cost={cost} chatWords={chatWords} />
      </div>
    </>
  );
}

function CharacterNotFound() {
  const words = useTranslate('create');
  const lang = useLang();
  return (
    <div role="alert" className="form-notice">
      <h2>{words('missingTitle')}</h2>
      <p>{words('missingText')}</p>
      <a className={`${LINK} row-link`} href={`/${lang}/creator-center`}>
        {words('myCharactersLink')}
      </a>
    </div>
  );
}
