import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { OwnEntry } from '../../features/competition/contract.ts';
import { formatList, formatNumber } from '../../locales/format.ts';
import { formatFailure } from '../shared/errors.ts';
import { TranslationProvider, useLang, useTranslate, type Dictionary } from '../shared/i18n.tsx';
import { useOnline } from '../shared/online.ts';
import { $session } from '../shared/session-state.ts';
import { PRIMARY, SECONDARY } from '../shared/styles.ts';
import { competitionStore } from './competition-state.ts';
import { EntryList, EntryPicture } from './EntryList.tsx';
import '../admin/admin-layout.css';

/** The user's characters created in the season, and whether each takes part. */
export function OwnEntries({
  lang,
  dictionary,
}: {
  lang: string;
  dictionary: Dictionary<'competition' | 'errors'>;
}) {
  return (
    <TranslationProvider lang={lang} dictionary={dictionary}>
      <OwnEntriesView />
    </TranslationProvider>
  );
}

/** Fetches the user's entries, and again when the user changes or the network returns. */
function useLoadEntries(): void {
  const { auth } = useStore($session, { ssr: 'initial' });
  const owner = auth?.user && !auth.user.is_anonymous ? auth.user.id : null;
  useEffect(() => {
    competitionStore.entries.reset();
    if (owner !== null) void competitionStore.entries.load();
  }, [owner]);
  useEffect(() => {
    const again = () => {
      if (competitionStore.entries.$list.get().status === 'failed') void competitionStore.entries.load();
    };
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, []);
}

function OwnEntriesView() {
  useLoadEntries();
  const online = useOnline();
  const { page } = useStore(competitionStore.entries.$list, { ssr: 'initial' });
  const words = useTranslate('competition');
  const lang = useLang();
  const [statusText, setStatusText] = useState('');
  return (
    <section aria-labelledby="own-entries">
      <h2 id="own-entries">{words('ownTitle')}</h2>
      {online ? null : (
        <p role="status" className="mt-3 border-s-2 border-state ps-3">
          {words('entriesOffline')}
        </p>
      )}
      <div className="mt-3">
        <EntryList
          entries={competitionStore.entries}
          failed={words('ownLoadFailed')}
          loading={words('ownLoading')}
          empty={
            <div className="flex flex-col items-start gap-3">
              <p className="text-text-quiet">{words('ownEmpty')}</p>
              {/* A character that is created before or after the season does not take part in it. */}
              {page?.season.status === 'running' ? (
                <a className={PRIMARY} href={`/${lang}/create-character`} data-create-character>
                  {words('createCharacter')}
                </a>
              ) : null}
            </div>
          }
          statusText={statusText}
          renderEntry={(entry) => (
            <OwnEntryRow key={entry.character_id} entry={entry} announce={setStatusText} />
          )}
        />
      </div>
    </section>
  );
}

const STATE_KEYS = {
  entered: 'ownStatus_entered',
  withdrawn: 'ownStatus_withdrawn',
  not_public: 'ownStatus_not_public',
  adult: 'ownStatus_adult',
  explicit: 'ownStatus_explicit',
  moderated: 'ownStatus_moderated',
  suspended: 'ownStatus_suspended',
} as const;

function OwnEntryRow({ entry, announce }: { entry: OwnEntry; announce: (what: string) => void }) {
  const { character_id: id, name, avatar_url: avatar, state, explicit_words: found, rank, score } = entry;
  const words = useTranslate('competition');
  const errors = useTranslate('errors');
  const lang = useLang();
  const busy = useStore(competitionStore.$busy, { ssr: 'initial' }).has(id);
  const page = useStore(competitionStore.entries.$list, { ssr: 'initial' }).page;
  const status = page?.season.status;
  const toggleEntry = async (isOut: boolean) => {
    const failure = await competitionStore.setWithdrawn(id, isOut);
    announce(
      failure === null
        ? words(isOut ? 'withdrawn' : 'enteredAgain', { name })
        : formatFailure(failure, errors, lang),
    );
  };
  const place =
    rank === null || score === null
      ? words('ownNotCounted')
      : words('ownRankAndScore', { rank, score: formatNumber(score, lang) });
  const out = state === 'withdrawn';
  // A withdrawn character cannot re-enter after the season has ended.
  const open = out
    ? status !== 'decided' && status !== 'judging'
    : state === 'entered' && status !== 'decided';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line py-3">
      <EntryPicture src={avatar} />
      <div className="min-w-0 flex-1 basis-40">
        <p dir="auto" className="break-words font-serif">
          {name}
        </p>
        <p className="text-sm text-text-quiet">
          {words(STATE_KEYS[state])}
          {state === 'entered' ? <span className="block tabular-nums">{place}</span> : null}
          {state === 'explicit' && found.length > 0 ? (
            <span className="block break-words">
              {words('ownExplicitWords', { words: formatList(found, lang) })}
            </span>
          ) : null}
        </p>
      </div>
      {open ? (
        <button
          type="button"
          className={SECONDARY}
          aria-label={words(out ? 'enterAgainNamed' : 'withdrawNamed', { name })}
          aria-busy={busy}
          disabled={busy}
          onClick={() => void toggleEntry(!out)}
        >
          {words(out ? 'enterAgain' : 'withdraw')}
        </button>
      ) : null}
    </li>
  );
}
