import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { DRAWER_LOCKOUT_MS } from '../../config.ts';
import type { ModelType } from '../../features/character/contract.ts';
import type { ModelChoice } from '../../features/model/contract.ts';
import { useLang, useWords } from '../shared/i18n.tsx';
import { HistoryIcon, ModelIcon, NewIcon } from '../shared/icons.tsx';
import { FIELD, ICON, ROW_LINK } from '../shared/styles.ts';
import type { ChatFace } from './Chat.tsx';
import { useChat } from './chat-context.ts';
import { Drawer } from './Drawer.tsx';
import { $models, $selectedModel, demoLabel, selectModel } from './models-state.ts';

/** Who one talks with, which model answers, and the ways to other conversations. */
export function ChatBar({ face, modelType }: { face: ChatFace | null; modelType: ModelType | null }) {
  const chat = useChat();
  const { phase, startingNew, conversation, view } = useStore(chat.$chat, { ssr: 'initial' });
  const models = useStore($models, { ssr: 'initial' });
  const selected = useStore($selectedModel, { ssr: 'initial' });
  const words = useWords('chat');
  const lang = useLang();
  const [drawerOpen, setDrawerOpen] = useState(false);
  const [drawerRests, setDrawerRests] = useState(false);
  const hadDrawer = useRef(false);
  const drawerButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!drawerRests) {
      // The drawer gives the focus back to its button, which could not take it while it rested.
      if (!drawerOpen && hadDrawer.current && document.activeElement === document.body)
        drawerButton.current?.focus();
      return;
    }
    const timer = setTimeout(() => setDrawerRests(false), DRAWER_LOCKOUT_MS);
    return () => clearTimeout(timer);
  }, [drawerRests, drawerOpen]);
  const lastModel =
    view.messages.findLast(({ role }) => role === 'character')?.versions.at(-1)?.model ?? null;
  const demo = demoLabel(models, selected, { modelType, lastModel });

  return (
    <header className="border-b border-line bg-surface">
      <div className="mx-auto flex max-w-2xl flex-wrap items-center gap-x-2 gap-y-1 px-4 py-2">
        {face ? (
          <a
            href={`/${lang}/character-info/${encodeURIComponent(face.id)}`}
            className={`${ROW_LINK} min-h-11 min-w-0 flex-1 hover:underline`}
          >
            <img
              src={face.avatar_url}
              alt=""
              width="36"
              height="48"
              className="h-12 w-9 shrink-0 rounded-sm border border-line object-cover"
            />
            <h1 className="truncate font-serif text-xl">{face.name}</h1>
          </a>
        ) : (
          <div className="flex min-h-12 flex-1 items-center">
            <h1 className="sr-only">{words('chat')}</h1>
          </div>
        )}
        {/* On a phone the list hides behind an icon; it is the same list. */}
        <label className="relative size-11 shrink-0 rounded-md text-text-quiet has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent sm:h-auto sm:w-52">
          <span className="sr-only">{words('model')}</span>
          <span className="pointer-events-none absolute inset-0 grid place-items-center sm:hidden">
            <ModelIcon />
          </span>
          <select
            title={words('model')}
            className={`${FIELD} absolute inset-0 w-full cursor-pointer truncate px-2 py-2 opacity-0 sm:static sm:opacity-100`}
            value={selected}
            onChange={(event) => selectModel(event.target.value as ModelChoice)}
          >
            {models.length === 0 ? <option value="recommended">{words('recommended')}</option> : null}
            {models.map(({ id, label, available, unavailable_reason: reason }) => (
              <option key={id} value={id} disabled={!available}>
                {available ? label : words('modelUnavailable', { label, reason: reason ?? '' })}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          className={ICON}
          aria-label={words('newConversation')}
          title={words('newConversation')}
          disabled={startingNew || phase === 'starting' || phase === 'signed-out'}
          onClick={() => void chat.startNew()}
        >
          <NewIcon />
        </button>
        <button
          ref={drawerButton}
          type="button"
          className={ICON}
          aria-label={words('conversations')}
          title={words('conversations')}
          aria-haspopup="dialog"
          disabled={drawerRests}
          onClick={() => {
            hadDrawer.current = true;
            setDrawerOpen(true);
            setDrawerRests(true);
          }}
        >
          <HistoryIcon />
        </button>
        {demo ? (
          <p className="basis-full text-center text-sm text-state">{words('demoNote', { label: demo })}</p>
        ) : null}
      </div>
      <Drawer open={drawerOpen} onClose={() => setDrawerOpen(false)} currentId={conversation?.id ?? null} />
    </header>
  );
}
