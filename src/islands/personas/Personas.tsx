import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import type { Persona } from '../../features/persona/contract.ts';
import type { Failure } from '../shared/api.ts';
import { Dictionaries, useLang, useWords, type Dictionary } from '../shared/i18n.tsx';
import { $session, knownSession } from '../shared/session-state.ts';
import { SECONDARY } from '../shared/styles.ts';
import { $toasts, dismissToast, ERROR_TOAST_MS, showToast, UNDO_MS } from '../shared/toasts-state.ts';
import { openSignIn } from '../sign-in/sign-in-state.ts';
import { $createWishes } from './create-intent.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import { useOnline } from '../shared/online.ts';
import { PersonaForm, type OpenForm } from './PersonaForm.tsx';
import { PersonaList } from './PersonaList.tsx';
import { isFull, isOverfull, personas } from './personas-state.ts';
import { personaSentence } from './sentences.ts';
import '../admin/admin-layout.css';

/** How a page is left: while it still stands, so that a call gets through; not every browser tells of that. */
const LEFT = ['beforeunload', 'pagehide'] as const;

/** My Personas, for whoever is here. Who is not is asked to log in, once, and has the page's own words meanwhile. */
export function Personas({
  lang,
  dictionary,
}: {
  lang: string;
  dictionary: Dictionary<'personas' | 'errors'>;
}) {
  return (
    <Dictionaries lang={lang} dictionary={dictionary}>
      <PersonasView />
    </Dictionaries>
  );
}

/** Fetches the personas of whoever is here, again when that changes. */
function useOwnPersonas(): void {
  const { auth } = useStore($session, { ssr: 'initial' });
  const userId = auth?.user?.id ?? null;
  useEffect(() => {
    personas.forget();
    if (userId !== null) void personas.load();
  }, [userId]);
  useEffect(() => {
    void knownSession().then(({ user }) => {
      if (user === null && navigator.onLine) openSignIn({ reason: 'required' });
    });
    const again = () => {
      if (personas.$personas.get().status === 'failed') void personas.load();
    };
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, []);
}

function PersonasView() {
  useOwnPersonas();
  const state = useStore(personas.$personas, { ssr: 'initial' });
  const wishes = useStore($createWishes, { ssr: 'initial' });
  const online = useOnline();
  const words = useWords('personas');
  const errors = useWords('errors');
  const lang = useLang();
  const [form, setForm] = useState<OpenForm | null>(null);
  const [deleting, setDeleting] = useState<Persona | null>(null);
  const limitNote = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLElement>(null);
  const wishesDone = useRef(0);

  const create = () => {
    if (isFull(personas.$personas.get())) limitNote.current?.focus();
    else setForm({ id: null, from: null });
  };
  useEffect(() => {
    if (wishes === wishesDone.current) return;
    wishesDone.current = wishes;
    create();
  }, [wishes]);

  const failed = (text: string) => showToast({ text, kind: 'harm', durationMs: ERROR_TOAST_MS });
  const notDeleted = (failure: Failure) => {
    const { limit } = personas.$personas.get();
    failed(personaSentence(failure, errors, { lang, common: 'persona_delete_failed', limit }));
  };
  const removeNow = async (persona: Persona) => {
    const failure = await personas.remove(persona.id);
    if (failure) return notDeleted(failure);
    list.current?.focus({ preventScroll: true });
    showToast({ text: words('deleted', { name: persona.name }) });
  };
  /** It is deleted when the offer to undo that is gone, or the page: until then it is the same one for its chats. */
  const remove = (persona: Persona) => {
    const { name } = persona;
    const removal = personas.removeSoon(persona.id);
    if (!removal) return;
    list.current?.focus({ preventScroll: true });
    const undo = () => {
      if (removal.undo()) showToast({ text: words('broughtBack', { name }) });
      // Its text must not be lost with the toast: it waits in the form.
      else setForm({ id: null, from: null, written: persona });
    };
    const offer = showToast({
      text: words('deleted', { name }),
      durationMs: UNDO_MS,
      action: { label: words('undo'), act: undo },
    });
    const settle = () => {
      stop();
      for (const left of LEFT) window.removeEventListener(left, leave);
      void removal.go().then((failure) => failure && notDeleted(failure));
    };
    // A page that is left runs nothing later: it goes at once.
    const leave = () => {
      settle();
      dismissToast(offer);
    };
    const stop = $toasts.listen((toasts) => {
      // Whoever undoes takes the offer away first.
      if (!toasts.some(({ id }) => id === offer)) queueMicrotask(settle);
    });
    for (const left of LEFT) window.addEventListener(left, leave);
  };
  const switchDefault = async (persona: Persona) => {
    const clearing = persona.is_default;
    const failure = await (clearing ? personas.clearDefault() : personas.makeDefault(persona.id));
    const { limit } = personas.$personas.get();
    const common = clearing ? 'persona_default_clear_failed' : 'persona_default_set_failed';
    if (failure) failed(personaSentence(failure, errors, { lang, common, limit }));
    else
      showToast({ text: clearing ? words('defaultCleared') : words('defaultMade', { name: persona.name }) });
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
          <p className="text-text-quiet">{words('loadSafe')}</p>
          <button type="button" className={SECONDARY} onClick={() => void personas.load()}>
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
            if (isOverfull(personas.$personas.get())) setDeleting(persona);
            else remove(persona);
          }}
          switchDefault={(persona) => void switchDefault(persona)}
        />
      )}
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
