import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import type { OwnCharacter } from '../../features/character/contract.ts';
import type { Failure } from '../shared/api.ts';
import { formatFailure } from '../shared/errors.ts';
import { TranslationProvider, useLang, useTranslate, type Dictionary } from '../shared/i18n.tsx';
import { $session } from '../shared/session-state.ts';
import { SECONDARY } from '../shared/styles.ts';
import { ERROR_TOAST_MS, showToast, UNDO_MS } from '../shared/toasts-state.ts';
import { useOnline } from '../shared/online.ts';
import { creatorCenter } from './center-state.ts';
import { OwnCharacters } from './OwnCharacters.tsx';
import { TrashedCharacters } from './TrashedCharacters.tsx';
import '../admin/admin-layout.css';

/** The «My Characters» page for a logged-in user; the page itself asks everyone else to log in. */
export function CreatorCenter({
  lang,
  hasSpicy,
  dictionary,
}: {
  lang: string;
  /** Whether this site allows adult content. */
  hasSpicy: boolean;
  dictionary: Dictionary<'center' | 'errors'>;
}) {
  return (
    <TranslationProvider lang={lang} dictionary={dictionary}>
      <CenterView hasSpicy={hasSpicy} />
    </TranslationProvider>
  );
}

/** Fetches the user's characters, and again when the user changes or the network returns. */
function useLoadCharacters(): void {
  const { auth } = useStore($session, { ssr: 'initial' });
  const user = auth?.user ?? null;
  const ownerId = user === null || user.is_anonymous ? null : user.id;
  useEffect(() => {
    creatorCenter.reset();
    if (ownerId !== null) void creatorCenter.load('here');
  }, [ownerId]);
  useEffect(() => {
    const again = () => {
      if (creatorCenter.$center.get().here.status === 'failed') void creatorCenter.load('here');
    };
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, []);
}

function CenterView({ hasSpicy }: { hasSpicy: boolean }) {
  useLoadCharacters();
  const { here, trash } = useStore(creatorCenter.$center, { ssr: 'initial' });
  const online = useOnline();
  const words = useTranslate('center');
  const errors = useTranslate('errors');
  const lang = useLang();
  const list = useRef<HTMLElement>(null);

  const failed = (failure: Failure, common: string) => {
    const text = failure.status >= 500 ? common : formatFailure(failure, errors, lang);
    showToast({ text, kind: 'danger', durationMs: ERROR_TOAST_MS });
  };
  const restore = async ({ id, name }: OwnCharacter) => {
    const failure = await creatorCenter.restore(id);
    if (failure) return failed(failure, errors('restore_failed'));
    showToast({ text: words('restored', { name }) });
    // The pressed button is gone with its row.
    if (document.activeElement === document.body) list.current?.focus({ preventScroll: true });
  };
  const remove = async (character: OwnCharacter) => {
    const failure = await creatorCenter.remove(character.id);
    if (failure) return failed(failure, words('deleteFailed'));
    list.current?.focus({ preventScroll: true });
    showToast({
      text: words('deleted', { name: character.name }),
      durationMs: UNDO_MS,
      action: { label: words('undo'), run: () => void restore(character) },
    });
  };

  return (
    <>
      {online ? null : (
        <p role="status" className="mb-4 border-s-2 border-state ps-3">
          {words('offline')}
        </p>
      )}
      {here.status === 'failed' ? (
        <div role="alert" className="flex flex-col items-start gap-3">
          <p>{words('loadFailed')}</p>
          <p className="text-text-quiet">{words('loadFailedNote')}</p>
          <button type="button" className={SECONDARY} onClick={() => void creatorCenter.load('here')}>
            {words('tryAgain')}
          </button>
        </div>
      ) : (
        <>
          <OwnCharacters ref={list} hasSpicy={hasSpicy} remove={(character) => void remove(character)} />
          {here.status === 'ready' || trash.status !== 'idle' ? (
            <TrashedCharacters restore={(character) => void restore(character)} />
          ) : null}
        </>
      )}
    </>
  );
}
