import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { formatDayAndTime, formatNumber } from '../../locales/format.ts';
import { useFileDrop } from '../character-form/use-file-drop.ts';
import { refreshConversationList } from '../shared/conversation-list-state.ts';
import { formatFailure } from '../shared/errors.ts';
import { type Dictionary, TranslationProvider, useLang, useTranslate } from '../shared/i18n.tsx';
import type { DictionaryUrls } from '../shared/load-messages.ts';
import { useOnline } from '../shared/online.ts';
import { $session } from '../shared/session-state.ts';
import { LINK, PRIMARY, SECONDARY } from '../shared/styles.ts';
import { FileInput } from '../shared/ui/FileInput.tsx';
import { UserText } from '../shared/ui/UserText.tsx';
import { StorageLink } from '../shared/ui/StorageLink.tsx';
import { ARCHIVE_LIMITS } from './archive-file.ts';
import { countKinds } from './backup-items.ts';
import { ITEM_KINDS } from './backup-layout.ts';
import { MoveInReport } from './MoveInReport.tsx';
import { formatCountdown } from './move-in-messages.ts';
import type { MoveInState } from './move-in-state.ts';
import { moveIn } from './move-in.ts';
import '../admin/admin-layout.css';

const BYTES_PER_GB = 1024 ** 3;
const MAX_ARCHIVE_GB = ARCHIVE_LIMITS.maxBytes / BYTES_PER_GB;

/** Moves the content of a SillyTavern backup in, for logged-in users; the page itself asks everyone else to log in. */
export function MoveIn({
  lang,
  dictionary,
  reasonWords,
}: {
  lang: string;
  dictionary: Dictionary<'moveIn' | 'errors'>;
  /** URLs of the texts that explain failures. */
  reasonWords: DictionaryUrls<'create' | 'chat'>;
}) {
  return (
    <TranslationProvider lang={lang} dictionary={dictionary}>
      <MoveInView reasonWords={reasonWords} />
    </TranslationProvider>
  );
}

/** Opens the page for the current account. A session that ended keeps the archive: the user may log in again. */
function useOpenForAccount(): void {
  const user = useStore($session, { ssr: 'initial' }).auth?.user ?? null;
  const who = user === null || user.is_anonymous ? null : user.id;
  const opened = useRef<string | null>(null);
  useEffect(() => {
    if (who === null || who === opened.current) return;
    opened.current = who;
    moveIn.openFor(who);
  }, [who]);
  useEffect(() => () => moveIn.close(), []);
}

/** Saves the progress before the page is hidden, and makes the browser confirm leaving it while files are sent. */
function useGuardLeaving(isRunning: boolean): void {
  useEffect(() => {
    const onHide = () => document.hidden && moveIn.saveNow();
    window.addEventListener('pagehide', moveIn.saveNow);
    document.addEventListener('visibilitychange', onHide);
    return () => {
      window.removeEventListener('pagehide', moveIn.saveNow);
      document.removeEventListener('visibilitychange', onHide);
    };
  }, []);
  useEffect(() => {
    if (!isRunning) return;
    const onBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onBeforeUnload);
    return () => window.removeEventListener('beforeunload', onBeforeUnload);
  }, [isRunning]);
}

function MoveInView({ reasonWords }: { reasonWords: DictionaryUrls<'create' | 'chat'> }) {
  useOpenForAccount();
  const state = useStore(moveIn.$moveIn, { ssr: 'initial' });
  const { phase, items } = state;
  const isRunning = phase === 'running';
  useGuardLeaving(isRunning);
  useEffect(() => {
    // Show the chats that were moved in next to the page.
    if (phase === 'paused' || phase === 'stopped' || phase === 'done') void refreshConversationList();
  }, [phase]);
  useFileDrop((file) => {
    if (moveIn.$moveIn.get().phase !== 'running') void moveIn.choose(file);
  });
  const words = useTranslate('moveIn');
  const online = useOnline();
  return (
    <div className="move-in-steps">
      {online ? null : (
        <p role="status" className="move-in-line">
          {words('offline')}
        </p>
      )}
      {isRunning ? null : <ChooseArchive state={state} />}
      {items.length === 0 ? null : (
        <>
          <FoundItems state={state} />
          <Progress state={state} />
          <MoveInReport state={state} reasonWords={reasonWords} />
        </>
      )}
    </div>
  );
}

function ChooseArchive({ state: { phase, name, refusal, earlier } }: { state: MoveInState }) {
  const words = useTranslate('moveIn');
  const lang = useLang();
  const input = useRef<HTMLInputElement>(null);
  const isChosen = phase !== 'idle' && phase !== 'refused' && phase !== 'opening';
  const done = Object.keys(earlier?.outcomes ?? {}).length;
  const isUnfinished = earlier !== null && done < earlier.total;
  return (
    <section className="move-in-choose" aria-labelledby="move-in-choose">
      <h2 id="move-in-choose">{words('backupTitle')}</h2>
      {isChosen ? null : (
        <>
          <p>{words('backupText')}</p>
          <p className="move-in-note">{words('privacyNote')}</p>
          <p className="move-in-note">{words('limitsNote', { size: MAX_ARCHIVE_GB })}</p>
        </>
      )}
      {!isUnfinished || isChosen ? null : (
        <p className="move-in-line">
          {words('continueEarlierImport', { name: earlier.name, done, total: earlier.total })}
        </p>
      )}
      <FileInput
        ref={input}
        accept=".zip,application/zip"
        label={words('chooseBackup')}
        onChoose={(file) => void moveIn.choose(file)}
      />
      {isChosen ? <UserText text={name} /> : null}
      <button
        type="button"
        className={`${isChosen ? SECONDARY : PRIMARY} self-start`}
        disabled={phase === 'opening'}
        onClick={() => input.current?.click()}
      >
        {words(isChosen ? 'chooseOtherFile' : 'chooseBackup')}
      </button>
      <p role="status" className="empty:hidden">
        {phase === 'opening' ? words('readingBackup') : null}
      </p>
      {refusal === null ? null : (
        <div role="alert" className="flex flex-col gap-2">
          <p className="text-danger">
            {words(`refused_${refusal}`, {
              limit: refusal === 'too_many' ? ARCHIVE_LIMITS.maxEntries : MAX_ARCHIVE_GB,
            })}
          </p>
          <p>{words('acceptedFiles')}</p>
          {['charx', 'byaf', 'cards', 'card', 'risu'].includes(refusal) ? (
            <a className={`${LINK} row-link`} href={`/${lang}/create-character`}>
              {words('createCharacterLink')}
            </a>
          ) : null}
        </div>
      )}
    </section>
  );
}

function FoundItems({ state: { phase, items, chosen } }: { state: MoveInState }) {
  const words = useTranslate('moveIn');
  const lang = useLang();
  const counts = countKinds(items);
  return (
    <fieldset className="move-in-kinds" disabled={phase === 'running'}>
      <legend>{words('kindsTitle')}</legend>
      {ITEM_KINDS.filter((kind) => counts[kind] > 0).map((kind) => (
        <label key={kind} className="chip">
          <input
            type="checkbox"
            checked={chosen.includes(kind)}
            onChange={({ target }) => moveIn.chooseKind(kind, target.checked)}
          />
          {words(`kind_${kind}`)} <span className="tabular-nums">{formatNumber(counts[kind], lang)}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Progress({ state }: { state: MoveInState }) {
  const { phase, items, outcomes, chosen, isSaved, failure } = state;
  const words = useTranslate('moveIn');
  const errors = useTranslate('errors');
  const lang = useLang();
  const isMoved = items.map(({ kind }) => kind !== null && chosen.includes(kind));
  const total = isMoved.filter(Boolean).length;
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // The button that was pressed last is gone.
    if (phase === 'done' && document.activeElement === document.body)
      section.current?.focus({ preventScroll: true });
  }, [phase]);
  const done = outcomes.filter(
    ({ state: one }, index) => isMoved[index] === true && one !== 'pending',
  ).length;
  return (
    <section
      ref={section}
      tabIndex={-1}
      className="move-in-progress outline-none"
      aria-label={words('progressTitle')}
    >
      <progress className="move-in-bar" aria-label={words('progressTitle')} value={done} max={total} />
      <p className="tabular-nums">{words('progress', { done, total })}</p>
      <StatusLine state={state} />
      {phase === 'stopped' && failure !== null ? (
        <div role="alert" className="flex flex-col gap-2">
          <p className="text-danger">
            {failure.code === 'archive_unreadable'
              ? words('archiveUnreadable')
              : formatFailure(failure, errors, lang)}
          </p>
          <StorageLink code={failure.code} />
          <p className="move-in-note">{words('pausedNote')}</p>
        </div>
      ) : null}
      {isSaved ? null : <p className="move-in-note">{words('progressNotSaved')}</p>}
      {phase === 'running' ? (
        <button type="button" className={SECONDARY} onClick={moveIn.pause}>
          {words('pause')}
        </button>
      ) : done < total ? (
        <button type="button" className={PRIMARY} onClick={() => void moveIn.start()}>
          {words(phase === 'ready' ? 'start' : 'resume')}
        </button>
      ) : null}
    </section>
  );
}

/** What is happening now. Screen readers hear the phase and waits, not each file. */
function StatusLine({ state: { phase, items, current, wait } }: { state: MoveInState }) {
  const words = useTranslate('moveIn');
  const path = current === null ? '' : (items[current]?.path ?? '');
  const said =
    phase === 'running' && wait === null
      ? words('status_running')
      : phase === 'paused' || phase === 'done' || phase === 'elsewhere'
        ? words(`status_${phase}`)
        : null;
  return (
    <>
      <p role="status" className="empty:hidden">
        {said}
      </p>
      {phase === 'running' && wait !== null ? <WaitLine wait={wait} /> : null}
      {phase === 'running' && path !== '' ? (
        <p className="move-in-note move-in-path">
          <UserText text={path} />
        </p>
      ) : null}
    </>
  );
}

function WaitLine({ wait: { reason, until } }: { wait: NonNullable<MoveInState['wait']> }) {
  const words = useTranslate('moveIn');
  const lang = useLang();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const time = reason === 'day' ? formatDayAndTime(until, lang) : formatCountdown(until - now);
  return <p className="move-in-line tabular-nums">{words(`wait_${reason}`, { time })}</p>;
}
