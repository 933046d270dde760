import { useStore } from '@nanostores/react';
import { useEffect, useId, useState } from 'react';
import { TRASH } from '../../features/character/limits.ts';
import type { OwnCharacter } from '../../features/character/contract.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { useTranslate } from '../shared/i18n.tsx';
import { Icon } from '../shared/ui/Icon.tsx';
import { QUIET, SECONDARY } from '../shared/styles.ts';
import { creatorCenter, getDaysLeft } from './center-state.ts';
import { LoadMoreCharacters } from './LoadMoreCharacters.tsx';
import { CharacterThumbnail } from './OwnCharacters.tsx';

const MAX_TRASH_DAYS = TRASH.retentionMs / 86_400_000;

/** Deleted characters that can be restored; fetched when opened. */
export function TrashedCharacters({ restore }: { restore: (character: OwnCharacter) => void }) {
  const { trash } = useStore(creatorCenter.$center);
  const words = useTranslate('center');
  const id = useId();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (open) void creatorCenter.load('trash');
  }, [open]);
  return (
    <section className="mt-10" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className="text-[length:var(--step-1)]">
        <button
          type="button"
          className={`${QUIET} -ms-4`}
          aria-expanded={open}
          aria-controls={`${id}-list`}
          onClick={() => setOpen(!open)}
        >
          <Icon name="trash" />
          {words('trashTitle')}
        </button>
      </h2>
      <div id={`${id}-list`} hidden={!open}>
        <p className="mb-2 max-w-[var(--measure)] text-text-quiet">
          {words('trashText', { count: MAX_TRASH_DAYS })}
        </p>
        {trash.items.length === 0 && trash.status === 'loading' ? (
          <p role="status" className="text-text-quiet">
            {words('trashLoading')}
          </p>
        ) : null}
        {trash.status === 'failed' ? (
          <div role="alert" className="flex flex-col items-start gap-3">
            <p>{words('trashLoadFailed')}</p>
            <button type="button" className={SECONDARY} onClick={() => void creatorCenter.load('trash')}>
              {words('tryAgain')}
            </button>
          </div>
        ) : null}
        {trash.status === 'ready' && trash.items.length === 0 ? <p>{words('trashEmpty')}</p> : null}
        {trash.items.length > 0 ? (
          <ul className="border-b border-line">
            {trash.items.map((character) => (
              <TrashedCharacterRow
                key={character.id}
                character={character}
                restore={() => restore(character)}
              />
            ))}
          </ul>
        ) : null}
        <LoadMoreCharacters which="trash" failed={words('trashLoadFailed')} />
      </div>
    </section>
  );
}

function TrashedCharacterRow({ character, restore }: { character: OwnCharacter; restore: () => void }) {
  const { busy } = useStore(creatorCenter.$center);
  const words = useTranslate('center');
  const { id, name, deleted_at: deletedAt = '' } = character;
  const [days] = useState(() => getDaysLeft(deletedAt, Date.now()));
  return (
    <li className="flex items-center gap-4 border-t border-line py-4" aria-busy={busy.has(id)}>
      <CharacterThumbnail character={character} />
      <div className="min-w-0 flex-1">
        <h3 dir="auto" className="min-w-0 break-words">
          {sanitizeText(name)}
        </h3>
        <p className="text-sm text-text-quiet tabular-nums">{words('daysLeft', { count: days })}</p>
        <button
          type="button"
          className={`${QUIET} -ms-3 px-3`}
          disabled={busy.has(id)}
          aria-label={words('restoreNamed', { name })}
          onClick={restore}
        >
          {words('restore')}
        </button>
      </div>
    </li>
  );
}
