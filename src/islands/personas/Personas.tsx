import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import type { Persona } from '../../features/persona/contract.ts';
import type { Failure } from '../shared/api.ts';
import { TranslationProvider, useLang, useTranslate, type Dictionary } from '../shared/i18n.tsx';
import { $session, getSession } from '../shared/session-state.ts';
import { QUIET, SECONDARY } from '../shared/styles.ts';
import { Icon } from '../shared/ui/Icon.tsx';
import { $toasts, dismissToast, ERROR_TOAST_MS, showToast, UNDO_MS } from '../shared/toasts-state.ts';
import { openSignIn } from '../sign-in/sign-in-state.ts';
import { $createRequests } from './create-intent.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import { useOnline } from '../shared/online.ts';
import { PersonaForm, type OpenForm } from './PersonaForm.tsx';
import { PersonaList } from './PersonaList.tsx';
import { PersonaTrash } from './PersonaTrash.tsx';
import { hasMaxPersonas, isOverLimit, personasStore } from './personas-state.ts';
import { formatPersonaError } from './persona-messages.ts';
import '../admin/admin-layout.css';

/** Both events, because not every browser fires `beforeunload`; while the page still exists, a request gets through. */
const PAGE_LEAVE_EVENTS = ['beforeunload', 'pagehide'] as const;

/** The «My Personas» page. A logged-out visitor is asked once to log in and sees the page's introduction. */
export function PersonasPage({
  lang,
  dictionary,
}: {
  lang: string;
  dictionary: Dictionary<'personas' | 'picture' | 'errors'>;
}) {
  return (
    <TranslationProvider lang={lang} dictionary={dictionary}>
      <PersonasView />
    </TranslationProvider>
  );
}

/** Fetches the user's personas, and again when the user changes. */
function useLoadPersonas(): void {
  const { auth } = useStore($session, { ssr: 'initial' });
  const userId = auth?.user?.id ?? null;
  useEffect(() => {
    personasStore.reset();
    if (userId !== null) void personasStore.load();
  }, [userId]);
  useEffect(() => {
    void getSession().then(({ user }) => {
      if (user === null && navigator.onLine) openSignIn({ reason: 'required' });
    });
    const again = () => {
      if (personasStore.$personas.get().status === 'failed') void personasStore.load();
    };
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, []);
}

function PersonasView() {
  useLoadPersonas();
  const state = useStore(personasStore.$personas, { ssr: 'initial' });
  const createRequests = useStore($createRequests, { ssr: 'initial' });
  const online = useOnline();
  const words = useTranslate('personas');
  const errors = useTranslate('errors');
  const lang = useLang();
  const [form, setForm] = useState<OpenForm | null>(null);
  const [deleting, setDeleting] = useState<Persona | null>(null);
  const [isTrashOpen, setTrashOpen] = useState(false);
  const limitNote = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLElement>(null);
  const handledRequests = useRef(0);

  const create = () => {
    if (hasMaxPersonas(personasStore.$personas.get())) limitNote.current?.focus();
    else setForm({ id: null, from: null });
  };
  useEffect(() => {
    if (createRequests === handledRequests.current) return;
    handledRequests.current = createRequests;
    create();
  }, [createRequests]);

  const showFailure = (text: string) => showToast({ text, kind: 'danger', durationMs: ERROR_TOAST_MS });
  const showDeleteFailure = (failure: Failure) => {
    const { limit } = personasStore.$personas.get();
    showFailure(formatPersonaError(failure, errors, { lang, common: 'persona_delete_failed', limit }));
  };
  const removeNow = async (persona: Persona) => {
    const failure = await personasStore.remove(persona.id);
    if (failure) return showDeleteFailure(failure);
    list.current?.focus({ preventScroll: true });
    showToast({ text: words('deleted', { name: persona.name }) });
  };
  /** Deletes the persona when the undo toast or the page closes; until then, its chats keep using it. */
  const remove = (persona: Persona) => {
    const { name } = persona;
    const removal = personasStore.scheduleRemoval(persona.id);
    if (!removal) return;
    list.current?.focus({ preventScroll: true });
    const undo = () => {
      if (removal.undoRemoval()) showToast({ text: words('restored', { name }) });
      // The persona can no longer be restored, so put its text into the form.
      else setForm({ id: null, from: null, written: persona });
    };
    const offer = showToast({
      text: words('deleted', { name }),
      durationMs: UNDO_MS,
      action: { label: words('undo'), run: undo },
    });
    const settle = () => {
      stop();
      for (const left of PAGE_LEAVE_EVENTS) window.removeEventListener(left, leave);
      void removal.confirmRemoval().then((failure) => failure && showDeleteFailure(failure));
    };
    // Timers do not run after the page is left, so delete at once.
    const leave = () => {
      settle();
      dismissToast(offer);
    };
    const stop = $toasts.listen((toasts) => {
      // The undo button removes the toast before it runs its action, so defer the deletion by a microtask.
      if (!toasts.some(({ id }) => id === offer)) queueMicrotask(settle);
    });
    for (const left of PAGE_LEAVE_EVENTS) window.addEventListener(left, leave);
  };
  const switchDefault = async (persona: Persona) => {
    const clearing = persona.is_default;
    const failure = await (clearing ? personasStore.clearDefault() : personasStore.makeDefault(persona.id));
    const { limit } = personasStore.$personas.get();
    const common = clearing ? 'persona_default_clear_failed' : 'persona_default_set_failed';
    if (failure) showFailure(formatPersonaError(failure, errors, { lang, common, limit }));
    else
      showToast({ text: clearing ? words('defaultCleared') : words('defaultSet', { name: persona.name }) });
  };

  return (
    <>
      {online ? null : (
        <p role="status" className="mb-4 border-s-2 border-state ps-3">
          {words('offline')}
        </p>
      )}
      {state.status === 'failed' ? (
        <div role="alert" className="flex flex-col items-start gap-3">
          <p>{errors('persona_load_failed')}</p>
          <p className="text-text-quiet">{words('loadFailedNote')}</p>
          <button type="button" className={SECONDARY} onClick={() => void personasStore.load()}>
            {words('tryAgain')}
          </button>
        </div>
      ) : (
        <PersonaList
          ref={list}
          limitNote={limitNote}
          create={create}
          edit={(persona) => setForm({ id: persona.id, from: persona })}
          remove={(persona) => {
            if (isOverLimit(personasStore.$personas.get())) setDeleting(persona);
            else remove(persona);
          }}
          switchDefault={(persona) => void switchDefault(persona)}
        />
      )}
      {state.status === 'ready' ? (
        <button
          type="button"
          className={`${QUIET} -ms-2 mt-4`}
          aria-haspopup="dialog"
          onClick={() => setTrashOpen(true)}
        >
          <Icon name="trash" />
          {words('trashTitle')}
        </button>
      ) : null}
      <PersonaTrash open={isTrashOpen} onClose={() => setTrashOpen(false)} />
      <PersonaForm form={form} onClose={() => setForm(null)} />
      <DeleteDialog
        persona={deleting}
        onClose={() => setDeleting(null)}
        onDelete={(persona) => {
          setDeleting(null);
          void removeNow(persona);
        }}
      />
    </>
  );
}
