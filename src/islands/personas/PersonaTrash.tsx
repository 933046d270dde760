import { useEffect, useId, useRef, useState } from 'react';
import type { TrashedPersonas } from '../../features/persona/contract.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { formatDate } from '../../locales/format.ts';
import { DialogHead, PANEL } from '../shared/ui/DialogHead.tsx';
import { Icon } from '../shared/ui/Icon.tsx';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { TrashActions } from '../shared/ui/TrashActions.tsx';
import { Modal } from '../shared/ui/Modal.tsx';
import { ICON, SECONDARY } from '../shared/styles.ts';
import { retryAfterSignIn, pageSession } from '../sign-in/reauthenticate.ts';
import { PersonaAvatar } from './PersonaAvatar.tsx';
import { personaTrashApi } from './personas-api.ts';
import { personasStore } from './personas-state.ts';
import { canBuyMore, formatPersonaError } from './persona-messages.ts';

type TrashedPersona = TrashedPersonas['items'][number];

/** The personas in the trash. Each can be restored until its date, or permanently deleted. */
export function PersonaTrash({ open, onClose }: { open: boolean; onClose: () => void }) {
  const words = useTranslate('personas');
  const titleId = useId();
  return (
    <Modal open={open} onClose={onClose} labelledBy={titleId} closeOnBackdrop className={PANEL}>
      <DialogHead
        titleId={titleId}
        title={words('trashTitle')}
        after={
          <button
            type="button"
            className={`${ICON} -me-3 -mt-2`}
            aria-label={words('close')}
            onClick={onClose}
          >
            <Icon name="close" />
          </button>
        }
      />
      {open ? <TrashList /> : null}
    </Modal>
  );
}

/** Fetches the personas in the trash, after deletions that could still be undone. */
async function fetchTrash(): Promise<readonly TrashedPersona[] | null> {
  await personasStore.confirmRemovals();
  const answer = await retryAfterSignIn(personaTrashApi.list, pageSession);
  return answer.ok ? answer.data.items : null;
}

function TrashList() {
  const words = useTranslate('personas');
  const errors = useTranslate('errors');
  const [items, setItems] = useState<readonly TrashedPersona[] | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const [done, setDone] = useState<{ name: string; isErased: boolean } | null>(null);
  const status = useRef<HTMLDivElement>(null);
  const load = async () => {
    setFailed(false);
    const found = await fetchTrash();
    setItems(found);
    setFailed(found === null);
  };
  useEffect(() => void load(), []);
  const handleDone = ({ id, name }: TrashedPersona, isErased: boolean) => {
    setItems((before) => before?.filter((item) => item.id !== id) ?? null);
    setDone({ name, isErased });
    if (!isErased) void personasStore.load();
    // The pressed button is gone with its row.
    status.current?.focus();
  };
  return (
    <>
      <div ref={status} role="status" tabIndex={-1} className="text-text-quiet outline-none">
        {items === null && !hasFailed ? words('trashLoading') : null}
        {done === null ? null : (
          <p className="break-words">
            {words(done.isErased ? 'deletedPermanently' : 'restored', { name: done.name })}
          </p>
        )}
        {items?.length === 0 ? <p>{words('trashEmpty')}</p> : null}
      </div>
      {hasFailed ? (
        <div className="flex flex-col items-start gap-3">
          <p role="alert" className="text-danger">
            {errors('persona_load_failed')}
          </p>
          <button type="button" className={SECONDARY} onClick={() => void load()}>
            {words('tryAgain')}
          </button>
        </div>
      ) : null}
      {items && items.length > 0 ? (
        <ul className="mt-2 border-t border-line">
          {items.map((item) => (
            <Row key={item.id} item={item} onDone={handleDone} />
          ))}
        </ul>
      ) : null}
    </>
  );
}

function Row({
  item,
  onDone,
}: {
  item: TrashedPersona;
  onDone: (item: TrashedPersona, isErased: boolean) => void;
}) {
  const words = useTranslate('personas');
  const errors = useTranslate('errors');
  const lang = useLang();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { id, name } = item;
  const restore = async () => {
    setBusy(true);
    setProblem(null);
    const answer = await retryAfterSignIn(() => personaTrashApi.restore(id), pageSession);
    setBusy(false);
    if (answer.ok) return onDone(item, false);
    const state = personasStore.$personas.get();
    setProblem(
      answer.code === 'persona_limit' && !canBuyMore(state)
        ? words('limitReachedPaid')
        : formatPersonaError(answer, errors, { lang, common: 'restore_failed', limit: state.limit }),
    );
  };
  const erase = async () => {
    setBusy(true);
    setProblem(null);
    const answer = await retryAfterSignIn(() => personaTrashApi.erase(id), pageSession);
    setBusy(false);
    if (answer.ok || answer.status === 404) {
      onDone(item, true);
      return true;
    }
    setProblem(errors('erase_failed'));
    return false;
  };
  return (
    <li className="flex flex-col gap-2 border-b border-line py-3">
      <div className="flex items-center gap-3">
        <PersonaAvatar url={item.avatar_url} name={name} />
        <div className="min-w-0 flex-1">
          <p dir="auto" className="break-words">
            {sanitizeText(name)}
          </p>
          <p dir="auto" className="line-clamp-2 text-sm break-words text-text-quiet">
            {sanitizeText(item.description)}
          </p>
          <p className="text-sm text-text-quiet">
            {words('keptUntil', { day: formatDate(item.expires_at, lang, { length: 'short' }) })}
          </p>
        </div>
      </div>
      <TrashActions
        labels={{
          restore: words('restore'),
          restoreNamed: words('restoreNamed', { name }),
          question: words('deletePermanentlyText', { name }),
          keep: words('deletePermanentlyCancel'),
          erase: words('deletePermanently'),
          eraseNamed: words('deletePermanentlyNamed', { name }),
        }}
        busy={busy}
        onRestore={() => void restore()}
        onErase={erase}
      />
      <p role="alert" className="text-sm text-danger empty:hidden">
        {problem}
      </p>
    </li>
  );
}
