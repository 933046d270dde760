import { useStore } from '@nanostores/react';
import type { RefObject } from 'react';
import type { Persona } from '../../features/persona/contract.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { useTranslate } from '../shared/i18n.tsx';
import { ShowMore } from '../shared/ui/ShowMore.tsx';
import { $session } from '../shared/session-state.ts';
import { LINK, PRIMARY, QUIET } from '../shared/styles.ts';
import { openSignIn } from '../sign-in/sign-in-state.ts';
import { PersonaAvatar } from './PersonaAvatar.tsx';
import { canBuyMore } from './persona-messages.ts';
import { hasMaxPersonas, personasStore } from './personas-state.ts';

/** Actions on a persona in the list. */
interface PersonaActions {
  edit: (persona: Persona) => void;
  remove: (persona: Persona) => void;
  switchDefault: (persona: Persona) => void;
}

/** The user's personas, newest first, with hints for an empty list and for a reached limit. */
export function PersonaList({
  ref,
  limitNote,
  create,
  ...doings
}: PersonaActions & {
  ref: RefObject<HTMLElement | null>;
  limitNote: RefObject<HTMLDivElement | null>;
  create: () => void;
}) {
  const state = useStore(personasStore.$personas, { ssr: 'initial' });
  const words = useTranslate('personas');
  const { status, items, count, limit } = state;
  const settled = status === 'ready';
  return (
    <section ref={ref} tabIndex={-1} aria-label={words('listLabel')} className="outline-none">
      {items.length === 0 && !settled ? (
        <p role="status" className="text-text-quiet">
          {words('loading')}
        </p>
      ) : null}
      {settled && count === 0 ? <EmptyState create={create} /> : null}
      {items.length > 0 ? (
        <>
          <p className="mb-2 text-sm text-text-quiet tabular-nums">
            {words('countOfLimit', { count, limit })}
          </p>
          {hasMaxPersonas(state) ? <LimitNotice ref={limitNote} /> : null}
          <ul className="border-b border-line">
            {items.map((persona) => (
              <PersonaRow key={persona.id} persona={persona} busy={state.busyId === persona.id} {...doings} />
            ))}
          </ul>
          <LoadMorePersonas />
        </>
      ) : null}
      {settled ? <GuestNotice /> : null}
    </section>
  );
}

function EmptyState({ create }: { create: () => void }) {
  const words = useTranslate('personas');
  return (
    <div className="flex max-w-xl flex-col items-start gap-4 border-t border-line pt-6">
      <h2>{words('emptyTitle')}</h2>
      <p className="text-text-quiet">{words('emptyText')}</p>
      <button type="button" className={PRIMARY} onClick={create}>
        {words('emptyCreate')}
      </button>
    </div>
  );
}

function LimitNotice({ ref }: { ref: RefObject<HTMLDivElement | null> }) {
  const state = useStore(personasStore.$personas);
  const words = useTranslate('personas');
  const offersMore = canBuyMore(state);
  return (
    <div
      ref={ref}
      tabIndex={-1}
      className="mb-4 flex scroll-mt-20 flex-wrap items-center gap-x-4 border-s-2 border-accent bg-surface py-2 ps-4 pe-2"
    >
      <p className="min-w-60 flex-1">
        {words(offersMore ? 'limitReachedFree' : 'limitReachedPaid', { limit: state.memberLimit })}
      </p>
      {offersMore ? (
        <a className={`${LINK} row-link`} href="/membership">
          {words('comparePlansLink')}
        </a>
      ) : null}
    </div>
  );
}

function PersonaRow({
  persona,
  busy,
  edit,
  remove,
  switchDefault,
}: PersonaActions & { persona: Persona; busy: boolean }) {
  const words = useTranslate('personas');
  const { name, description, is_default: isDefault, character_name: character } = persona;
  const way = `${QUIET} px-3`;
  return (
    <li className="border-t border-line pt-4 pb-2" aria-busy={busy}>
      <div className="flex gap-4">
        <PersonaAvatar url={persona.avatar_url} name={name} className="size-14 text-[length:var(--step-1)]" />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 dir="auto" className="min-w-0 text-[length:var(--step-1)] break-words">
              {sanitizeText(name)}
            </h2>
            {isDefault ? <span className="badge">{words('defaultBadge')}</span> : null}
          </div>
          {character === null ? null : (
            <p dir="auto" className="text-sm break-words text-text-quiet">
              {words('characterBadge', { name: sanitizeText(character) })}
            </p>
          )}
          <p
            dir="auto"
            className="mt-1 line-clamp-4 max-w-[var(--measure)] break-words whitespace-pre-line text-text-quiet"
          >
            {sanitizeText(description)}
          </p>
        </div>
      </div>
      <div className="-ms-3 flex flex-wrap">
        <button
          type="button"
          className={way}
          disabled={busy}
          aria-label={words('editNamed', { name })}
          onClick={() => edit(persona)}
        >
          {words('edit')}
        </button>
        <button
          type="button"
          className={way}
          disabled={busy}
          aria-label={words(isDefault ? 'clearDefaultNamed' : 'makeDefaultNamed', { name })}
          onClick={() => switchDefault(persona)}
        >
          {words(isDefault ? 'clearDefault' : 'makeDefault')}
        </button>
        <button
          type="button"
          className={way}
          disabled={busy}
          aria-label={words('deleteNamed', { name })}
          onClick={() => remove(persona)}
        >
          {words('delete')}
        </button>
      </div>
    </li>
  );
}

function LoadMorePersonas() {
  const { nextCursor, more } = useStore(personasStore.$personas);
  const words = useTranslate('personas');
  const errors = useTranslate('errors');
  if (nextCursor === null) return null;
  return (
    <ShowMore
      more={more}
      label={words(more === 'loading' ? 'loadingMore' : 'showMore')}
      failed={errors('persona_load_failed')}
      show={() => void personasStore.showMore()}
    />
  );
}

/** Informs guests that their personas are lost with the session unless they log in. */
function GuestNotice() {
  const { auth } = useStore($session);
  const words = useTranslate('personas');
  if (!auth?.user?.is_anonymous) return null;
  return (
    <p className="mt-6 flex flex-wrap items-center gap-x-3 text-sm text-text-quiet">
      <span>{words('guestNote')}</span>
      <button type="button" className={`${LINK} row-link`} onClick={() => openSignIn({ reason: 'save' })}>
        {words('guestLogIn')}
      </button>
    </p>
  );
}
