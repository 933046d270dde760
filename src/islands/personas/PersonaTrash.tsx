import { useEffect, useId, useRef, useState } from 'react';
import type { TrashedPersonas } from '../../features/persona/contract.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { formatDate } from '../../locales/format.ts';
import type { Failure } from '../shared/api.ts';
import { DialogHead, PANEL } from '../shared/ui/DialogHead.tsx';
import { Icon } from '../shared/ui/Icon.tsx';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { Modal } from '../shared/ui/Modal.tsx';
import { ICON, SECONDARY } from '../shared/styles.ts';
import { retryAfterSignIn, pageSession } from '../sign-in/reauthenticate.ts';
import { personaTrashApi } from './personas-api.ts';
import { personasStore } from './personas-state.ts';
import { formatPersonaError } from './persona-messages.ts';

type TrashedPersona = TrashedPersonas['items'][number];

/** The personas in the trash. Each can be restored until its date. */
export function PersonaTrash({ open, onClose }: { open: boolean; onClose: () => void }) {
  const words = useTranslate('personas');
  const titleId = useId();
  return (
    <Modal open={open} onClose={onClose} labelledBy={titleId} closeOnBackdrop className={PANEL}>
      <DialogHead
        titleId={titleId}
        title={words('trash')}
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
  const [restored, setRestored] = useState<string | null>(null);
  const status = useRef<HTMLDivElement>(null);
  const load = async () => {
    setFailed(false);
    const found = await fetchTrash();
    setItems(found);
    setFailed(found === null);
  };
  useEffect(() => void load(), []);
  const handleRestored = ({ id, name }: TrashedPersona) => {
    setItems((before) => before?.filter((item) => item.id !== id) ?? null);
    setRestored(name);
    void personasStore.load();
    // The pressed button is gone with its row.
    status.current?.focus();
  };
  return (
    <>
      <div ref={status} role="status" tabIndex={-1} className="text-text-quiet outline-none">
        {items === null && !hasFailed ? words('trashLoading') : null}
        {restored === null ? null : <p>{words('broughtBack', { name: restored })}</p>}
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
            <Row key={item.id} item={item} onRestored={handleRestored} />
          ))}
        </ul>
      ) : null}
    </>
  );
}

function Row({ item, onRestored }: { item: TrashedPersona; onRestored: (item: TrashedPersona) => void }) {
  const words = useTranslate('personas');
  const errors = useTranslate('errors');
  const lang = useLang();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const restore = async () => {
    setBusy(true);
    setFailure(null);
    const answer = await retryAfterSignIn(() => personaTrashApi.restore(item.id), pageSession);
    setBusy(false);
    if (answer.ok) onRestored(item);
    else setFailure(answer);
  };
  const { limit } = personasStore.$personas.get();
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-3">
      <div className="min-w-0 flex-1">
        <p dir="auto" className="break-words">
          {sanitizeText(item.name)}
        </p>
        <p dir="auto" className="line-clamp-2 text-sm break-words text-text-quiet">
          {sanitizeText(item.description)}
        </p>
        <p className="text-sm text-text-quiet">
          {words('keptUntil', { day: formatDate(item.expires_at, lang, { length: 'short' }) })}
        </p>
      </div>
      <button
        type="button"
        className={SECONDARY}
        aria-label={words('restoreOf', { name: item.name })}
        aria-busy={busy}
        disabled={busy}
        onClick={() => void restore()}
      >
        {words('restore')}
      </button>
      <p role="alert" className="w-full text-sm text-danger empty:hidden">
        {failure ? formatPersonaError(failure, errors, { lang, common: 'restore_failed', limit }) : null}
      </p>
    </li>
  );
}
