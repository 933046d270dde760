import { useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { PersonaCharacters } from '../../features/persona/contract.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { useTranslate } from '../shared/i18n.tsx';
import { FIELD, QUIET, SECONDARY } from '../shared/styles.ts';
import { retryAfterSignIn, pageSession } from '../sign-in/reauthenticate.ts';
import { matchCharacters, type PersonaCharacter, type PersonaDraft } from './persona-form.ts';
import { personaCharactersApi } from './personas-api.ts';

/** The character whose new chats start with the persona, and a list to choose it from. */
export function PersonaCharacterField({
  character,
  write,
}: {
  character: PersonaDraft['character'];
  write: (part: Pick<PersonaDraft, 'character'>) => void;
}) {
  const words = useTranslate('personas');
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const chooser = useRef<HTMLButtonElement>(null);
  // The pressed button is gone with the list, or with the character.
  const choose = (chosen: PersonaDraft['character']) => {
    flushSync(() => {
      setOpen(false);
      write({ character: chosen });
    });
    chooser.current?.focus();
  };
  const close = () => {
    flushSync(() => setOpen(false));
    chooser.current?.focus();
  };
  return (
    <div role="group" aria-labelledby={`${id}-label`} className="flex flex-col gap-1">
      <p id={`${id}-label`} className="font-medium">
        {words('characterLabel')}
      </p>
      {character === null ? null : (
        <p dir="auto" className="break-words">
          {sanitizeText(character.name)}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <button
          ref={chooser}
          type="button"
          className={SECONDARY}
          aria-expanded={isOpen}
          aria-describedby={`${id}-note`}
          onClick={() => setOpen(!isOpen)}
        >
          {words(character === null ? 'characterChoose' : 'characterChange')}
        </button>
        {character === null ? null : (
          <button type="button" className={QUIET} onClick={() => choose(null)}>
            {words('characterClear')}
          </button>
        )}
      </div>
      {isOpen ? <CharacterPicker choose={choose} close={close} /> : null}
      <p id={`${id}-note`} className="text-sm text-text-quiet">
        {words('characterNote')}
      </p>
    </div>
  );
}

type Loaded = PersonaCharacters['items'] | 'loading' | 'failed';

function CharacterPicker({
  choose,
  close,
}: {
  choose: (character: PersonaCharacter) => void;
  close: () => void;
}) {
  const words = useTranslate('personas');
  const id = useId();
  const [loaded, setLoaded] = useState<Loaded>('loading');
  const [query, setQuery] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const load = async () => {
    setLoaded('loading');
    const answer = await retryAfterSignIn(personaCharactersApi.list, pageSession);
    setLoaded(answer.ok ? answer.data.items : 'failed');
  };
  useEffect(() => void load(), []);
  useEffect(() => {
    const { current: element } = box;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // Otherwise the form would close.
      event.preventDefault();
      close();
    };
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, [close]);
  const hasChoices = Array.isArray(loaded) && loaded.length > 0;
  useEffect(() => {
    if (!hasChoices) return;
    search.current?.focus();
    // On a phone the list is below the dialog's edge.
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [hasChoices]);
  const { shown, isCut } = matchCharacters(Array.isArray(loaded) ? loaded : [], query);
  const readStatus = () => {
    if (loaded === 'loading') return words('characterLoading');
    if (loaded === 'failed') return null;
    if (loaded.length === 0) return words('characterEmpty');
    if (shown.length === 0) return words('characterNoMatch');
    return isCut ? words('characterMoreNote') : null;
  };
  return (
    <div
      ref={box}
      role="group"
      aria-label={words('characterListLabel')}
      className="mt-2 flex flex-col gap-2 rounded-md bg-surface-2 p-3"
    >
      {hasChoices ? (
        <>
          <label htmlFor={`${id}-search`} className="text-sm">
            {words('characterSearch')}
          </label>
          <input
            ref={search}
            id={`${id}-search`}
            type="search"
            autoComplete="off"
            enterKeyHint="search"
            className={`${FIELD} w-full`}
            value={query}
            onChange={({ target }) => setQuery(target.value)}
            // Otherwise the form would be sent.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
          <ul className="flex max-h-[40dvh] flex-col overflow-y-auto overscroll-contain empty:hidden">
            {shown.map(({ id: characterId, name, avatar_url: url }) => (
              <li key={characterId}>
                <button
                  type="button"
                  className={`${QUIET} w-full justify-start! gap-3 text-start`}
                  onClick={() => choose({ id: characterId, name })}
                >
                  <img
                    src={url}
                    alt=""
                    width="27"
                    height="36"
                    loading="lazy"
                    className="h-9 w-[1.6875rem] shrink-0 rounded-sm bg-surface object-cover"
                  />
                  <span dir="auto" className="min-w-0 break-words">
                    {sanitizeText(name)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </>
      ) : null}
      <p role="status" className="text-sm text-text-quiet empty:hidden">
        {readStatus()}
      </p>
      {loaded === 'failed' ? (
        <div className="flex flex-col items-start gap-2">
          <p role="alert" className="text-danger">
            {words('characterLoadFailed')}
          </p>
          <button type="button" className={SECONDARY} onClick={() => void load()}>
            {words('tryAgain')}
          </button>
        </div>
      ) : null}
    </div>
  );
}
