import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef, useState } from 'react';
import type { Persona } from '../../../features/persona/contract.ts';
import { sanitizeText } from '../../../lib/sanitize-text.ts';
import { PersonaAvatar } from '../../personas/PersonaAvatar.tsx';
import { hasMaxPersonas, personasStore } from '../../personas/personas-state.ts';
import { formatPersonaError } from '../../personas/persona-messages.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { LINK, SECONDARY } from '../../shared/styles.ts';
import { useChat, useChatState } from '../chat-context.ts';
import { ChatDialog } from './ChatDialog.tsx';
import { LoadFailed } from './LoadFailed.tsx';
import { usePersonaSelection } from './persona-selection.ts';

/**
 * Lets the user choose their persona in this conversation.
 */
export function PersonaDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const words = useTranslate('chat');
  const started = useChatState(({ view }) =>
    view.messages.some(({ role, delivery }) => role === 'user' && delivery === 'stored'),
  );
  return (
    <ChatDialog open={open} onClose={onClose} title={words('persona')}>
      {started ? <PersonaPicker /> : <NotStarted />}
    </ChatDialog>
  );
}

function NotStarted() {
  const { conversation } = useStore(useChat().$chat);
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  return (
    <>
      <p>{errors('conversation_not_started')}</p>
      {conversation === null ? null : (
        <p className="text-text-quiet">{words('personaNoneNote', { name: conversation.user_name })}</p>
      )}
      <PersonasLink label={words('personaManage')} />
    </>
  );
}

function PersonasLink({ label }: { label: string }) {
  return (
    <a className={`${LINK} row-link self-start`} href={`/${useLang()}/user-persona`}>
      {label}
    </a>
  );
}

/** The user's name in this conversation without a persona, as the character gets it. */
function useOwnName(): string {
  const { conversation } = useStore(useChat().$chat);
  const words = useTranslate('chat');
  return conversation?.own_name ?? words('defaultName');
}

/** Loads the personas each time it opens, because another tab may have changed them. */
function PersonaPicker() {
  const state = useStore(personasStore.$personas);
  const { conversation } = useStore(useChat().$chat);
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const own = useOwnName();
  useEffect(() => void personasStore.load(), []);
  if (state.status === 'failed') {
    return <LoadFailed text={errors('persona_fetch_failed')} onRetry={() => void personasStore.load()} />;
  }
  if (state.items.length === 0 && state.status !== 'ready') {
    return (
      <p role="status" className="text-text-quiet">
        {words('personaLoading')}
      </p>
    );
  }
  if (state.items.length === 0 && !conversation?.persona) {
    return (
      <>
        <p>{words('personaEmpty')}</p>
        <p className="text-text-quiet">{words('personaNoneNote', { name: own })}</p>
        <PersonasLink label={words('personaCreate')} />
      </>
    );
  }
  return (
    <>
      <p className="text-text-quiet">{words('personaIntro')}</p>
      <PersonaOptions />
      <div className="flex flex-wrap items-center gap-x-4 text-sm text-text-quiet">
        <PersonasLink label={words('personaManage')} />
        {hasMaxPersonas(state) ? (
          <span>{words('personaLimitReached', { count: state.count, limit: state.limit })}</span>
        ) : null}
      </div>
    </>
  );
}

function PersonaOptions() {
  const chat = useChat();
  const { items, status, nextCursor, more } = useStore(personasStore.$personas);
  const { conversation } = useStore(chat.$chat);
  const own = useOwnName();
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const group = useId();
  const chosenRow = useRef<HTMLInputElement>(null);
  const current = conversation?.persona ?? null;
  const { chosenId, failed, choose } = usePersonaSelection(current?.id ?? null, chat.setPersona);
  useEffect(() => chosenRow.current?.focus(), []);

  // The selected persona may be on a page that is not loaded, or may have been deleted.
  const elsewhere = current !== null && !items.some(({ id }) => id === current.id);
  const gone = status === 'ready' && nextCursor === null;
  const rows = [
    {
      id: null,
      name: words('personaNone'),
      about: words('personaNoneNote', { name: own }),
      face: { name: own, url: null },
    },
    ...(elsewhere
      ? [
          {
            ...current,
            about: gone ? words('personaDeletedNote') : '',
            face: { name: current.name, url: null },
          },
        ]
      : []),
    ...items.map(({ id, name, description, avatar_url: url }) => ({
      id,
      name,
      about: description,
      face: { name, url },
    })),
  ];
  const chosen = items.find(({ id }) => id === chosenId);
  return (
    <>
      <div
        role="radiogroup"
        aria-label={words('personaListLabel')}
        className="flex max-h-[48dvh] flex-col overflow-y-auto overscroll-contain border-y border-line ps-1"
      >
        {rows.map(({ id, name, about, face }) => (
          <label
            key={id ?? ''}
            className="flex min-h-11 shrink-0 cursor-pointer items-center gap-3 border-line py-3 not-first:border-t"
          >
            <input
              ref={id === chosenId ? chosenRow : null}
              type="radio"
              name={group}
              checked={id === chosenId}
              aria-labelledby={`${group}-${id}-name`}
              aria-describedby={`${group}-${id}-about`}
              className="size-4 shrink-0 accent-accent focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent"
              onChange={() => choose(id)}
            />
            <PersonaAvatar {...face} className="size-10" />
            <span className="flex min-w-0 flex-col">
              <span id={`${group}-${id}-name`} dir="auto" className="break-words">
                {sanitizeText(name)}
              </span>
              <span
                id={`${group}-${id}-about`}
                dir="auto"
                className="line-clamp-2 text-sm break-words text-text-quiet empty:hidden"
              >
                {sanitizeText(about)}
              </span>
            </span>
          </label>
        ))}
      </div>
      {nextCursor === null ? null : (
        <button
          type="button"
          className={`${SECONDARY} self-start`}
          aria-busy={more === 'loading'}
          onClick={() => void personasStore.showMore()}
        >
          {words('personaShowMore')}
        </button>
      )}
      <p role="alert" className="text-danger empty:hidden">
        {more === 'failed' ? errors('persona_fetch_failed') : null}
        {failed === null ? null : errors(failed === 'set' ? 'persona_set_failed' : 'persona_clear_failed')}
      </p>
      {chosen ? <DefaultSwitch key={chosen.id} persona={chosen} /> : null}
    </>
  );
}

/** Sets whether new conversations start with the selected persona. */
function DefaultSwitch({ persona }: { persona: Persona }) {
  const { busyId, limit } = useStore(personasStore.$personas);
  const [errorText, setErrorText] = useState<string | null>(null);
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  const id = useId();
  const { is_default: isDefault, name } = persona;
  const toggleDefault = async () => {
    setErrorText(null);
    const failure = await (isDefault ? personasStore.clearDefault() : personasStore.makeDefault(persona.id));
    const common = isDefault ? 'persona_default_clear_failed' : 'persona_default_set_failed';
    setErrorText(failure ? formatPersonaError(failure, errors, { lang, common, limit }) : null);
  };
  return (
    <div className="flex flex-col">
      <button
        type="button"
        role="switch"
        aria-checked={isDefault}
        aria-labelledby={id}
        aria-busy={busyId !== null}
        className="switch -mx-3 w-auto!"
        onClick={() => {
          if (busyId === null) void toggleDefault();
        }}
      >
        <span id={id} className="min-w-0 break-words">
          {words('personaMakeDefault', { name })}
        </span>
        <span className="switch-track" />
      </button>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {errorText}
      </p>
    </div>
  );
}
