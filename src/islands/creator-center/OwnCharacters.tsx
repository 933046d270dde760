import { useStore } from '@nanostores/react';
import type { RefObject } from 'react';
import type { OwnCharacter } from '../../features/character/contract.ts';
import { replaceMacros } from '../../features/conversation/macro-names.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { formatDate } from '../../locales/format.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { PRIMARY, QUIET } from '../shared/styles.ts';
import { creatorCenter } from './center-state.ts';
import { LoadMoreCharacters } from './LoadMoreCharacters.tsx';

/**
 * The user's characters, newest first, or a hint if there are none. @param hasSpicy whether this site allows adult
 * content
 */
export function OwnCharacters({
  ref,
  hasSpicy,
  remove,
}: {
  ref: RefObject<HTMLElement | null>;
  hasSpicy: boolean;
  remove: (character: OwnCharacter) => void;
}) {
  const { here, count, busy } = useStore(creatorCenter.$center, { ssr: 'initial' });
  const words = useTranslate('center');
  const settled = here.status === 'ready';
  return (
    <section ref={ref} tabIndex={-1} aria-label={words('listLabel')} className="outline-none">
      {here.items.length === 0 && !settled ? (
        <p role="status" className="text-text-quiet">
          {words('loading')}
        </p>
      ) : null}
      {settled && count === 0 ? <EmptyState /> : null}
      {here.items.length > 0 ? (
        <>
          <p className="mb-2 text-sm text-text-quiet tabular-nums">{words('characterCount', { count })}</p>
          <ul className="border-b border-line">
            {here.items.map((character) => (
              <OwnCharacterRow
                key={character.id}
                character={character}
                hasSpicy={hasSpicy}
                busy={busy.has(character.id)}
                remove={() => remove(character)}
              />
            ))}
          </ul>
          <LoadMoreCharacters which="here" failed={words('loadFailed')} />
        </>
      ) : null}
    </section>
  );
}

function EmptyState() {
  const words = useTranslate('center');
  const lang = useLang();
  return (
    <div className="flex max-w-xl flex-col items-start gap-4 border-t border-line pt-6">
      <h2>{words('emptyTitle')}</h2>
      <p className="text-text-quiet">{words('emptyText')}</p>
      <a className={PRIMARY} href={`/${lang}/create-character`} data-create-character>
        {words('emptyCreate')}
      </a>
    </div>
  );
}

/** A small picture; decorative, since the row has the name. */
export function CharacterThumbnail({ character }: { character: OwnCharacter }) {
  return (
    <img
      src={character.avatar_url}
      alt=""
      width="72"
      height="96"
      loading="lazy"
      decoding="async"
      className="h-24 w-18 shrink-0 rounded-sm bg-surface-2 object-cover"
    />
  );
}

function OwnCharacterRow({
  character,
  hasSpicy,
  busy,
  remove,
}: {
  character: OwnCharacter;
  hasSpicy: boolean;
  busy: boolean;
  remove: () => void;
}) {
  const words = useTranslate('center');
  const lang = useLang();
  const { id, name, oneliner, visibility, moderation } = character;
  const rated = character.liked_count + character.disliked_count;
  const isListed = hasSpicy || !character.nsfw_allowed;
  const way = `${QUIET} px-3`;
  const info = `/${lang}/character-info/${encodeURIComponent(id)}`;
  return (
    <li className="flex gap-4 border-t border-line py-4" aria-busy={busy}>
      <CharacterThumbnail character={character} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 dir="auto" className="min-w-0 text-[length:var(--step-1)] break-words">
            {sanitizeText(name)}
          </h2>
          <span className="badge">{words(visibility)}</span>
          {character.nsfw_allowed ? (
            <span className="badge">{words(isListed ? 'adultsBadge' : 'notHere')}</span>
          ) : null}
          {moderation === 'shown' ? null : (
            <span className="badge border-danger text-danger">{words(moderation)}</span>
          )}
        </div>
        <p dir="auto" className="break-words text-text-quiet">
          {sanitizeText(replaceMacros(oneliner, { user: words('userInTagline'), char: name }))}
        </p>
        <p className="text-sm text-text-quiet tabular-nums">
          {words('chatCount', { count: character.chat_count })}
          {rated === 0 ? null : ` · ${words('goodRatings', { rated, liked: character.liked_count })}`}
          {' · '}
          {words('updatedOn', { date: formatDate(character.updated_at, lang, { length: 'short' }) })}
        </p>
        <p className={`text-sm ${moderation === 'shown' ? 'text-text-quiet' : 'text-danger'}`}>
          {words(`${moderation !== 'shown' ? moderation : isListed ? visibility : 'notHere'}Note`)}
        </p>
        <div className="-ms-3 flex flex-wrap">
          <a
            className={way}
            href={`/creator-center/edit/${encodeURIComponent(id)}`}
            aria-label={words('editNamed', { name })}
          >
            {words('edit')}
          </a>
          <a className={way} href={info} aria-label={words('viewNamed', { name })}>
            {words('view')}
          </a>
          <button
            type="button"
            className={way}
            disabled={busy}
            aria-label={words('deleteNamed', { name })}
            onClick={remove}
          >
            {words('delete')}
          </button>
        </div>
      </div>
    </li>
  );
}
