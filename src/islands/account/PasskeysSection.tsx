import { useId, useRef, useState, type SubmitEvent } from 'react';
import { PASSKEY } from '../../features/account/limits.ts';
import type { Passkey, PasskeyList } from '../../features/account/passkey/passkey-contract.ts';
import { formatDate, formatDayAndTime } from '../../locales/format.ts';
import { type Failure, NETWORK_FAILURE } from '../shared/api.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { hasPasskeys } from '../sign-in/has-passkeys.ts';
import { createRemoteStore, type RemoteStore } from '../shared/remote-state.ts';
import { FIELD, PRIMARY, SECONDARY } from '../shared/styles.ts';
import { showToast } from '../shared/toasts-state.ts';
import { ConfirmDialog } from '../shared/ui/ConfirmDialog.tsx';
import { DialogHead, PANEL } from '../shared/ui/DialogHead.tsx';
import { Modal } from '../shared/ui/Modal.tsx';
import { useReturnFocus } from '../shared/ui/return-focus.ts';
import { pageSession, retryAfterSignIn } from '../sign-in/reauthenticate.ts';
import { ExpandableList, RemoteContent, Section, useErrorMessage, useErrorToast } from './components.tsx';
import { passkeysApi } from './passkeys-api.ts';
import { formatDeviceName } from './SessionsSection.tsx';

/** Names a new passkey by browser, system and date. */
function useDefaultName(): () => string {
  const words = useTranslate('account');
  const lang = useLang();
  return () => {
    const device = formatDeviceName(navigator.userAgent, words);
    return `${device} (${formatDate(new Date().toISOString(), lang)})`.slice(0, PASSKEY.maxNameChars);
  };
}

/** The account's passkeys: adding, renaming and removing them. */
export function PasskeysSection() {
  const words = useTranslate('account');
  const reportFailure = useErrorToast();
  const section = useRef<HTMLElement>(null);
  const [remote] = useState<RemoteStore<PasskeyList>>(() =>
    createRemoteStore(() => retryAfterSignIn(passkeysApi.list, pageSession)),
  );
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const change = (turn: (items: Passkey[]) => Passkey[]) => {
    const { data } = remote.$state.get();
    if (data !== null) remote.setData({ ...data, items: turn(data.items) });
  };
  const rename = async (passkey: Passkey, name: string): Promise<Failure | null> => {
    const answer = await retryAfterSignIn(() => passkeysApi.rename(passkey.id, name), pageSession);
    if (!answer.ok) return answer;
    change((items) => items.map((one) => (one.id === passkey.id ? answer.data : one)));
    setRenamed(null);
    return null;
  };
  const remove = async (passkey: Passkey) => {
    setRemoved(null);
    const answer = await retryAfterSignIn(() => passkeysApi.remove(passkey.id), pageSession);
    // 404: another tab has removed it.
    if (!answer.ok && answer.status !== 404) return reportFailure(answer);
    change((items) => items.filter(({ id }) => id !== passkey.id));
    section.current?.focus({ preventScroll: true });
    showToast({ text: words('passkeyRemoved', { name: passkey.name }) });
  };
  return (
    <Section ref={section} id="passkeys" title={words('passkeysTitle')}>
      <p>{words('passkeysText')}</p>
      <RemoteContent remote={remote} room="min-h-24">
        {({ items, limit }) => (
          <>
            {items.length === 0 ? (
              <p className="text-text-quiet">{words('passkeysEmpty')}</p>
            ) : (
              <ExpandableList
                label={words('passkeysTitle')}
                items={items}
                renderRow={(passkey) => (
                  <PasskeyRow
                    key={passkey.id}
                    passkey={passkey}
                    rename={() => setRenamed(passkey)}
                    remove={() => setRemoved(passkey)}
                  />
                )}
              />
            )}
            <AddPasskey
              isFull={items.length >= limit}
              onAdded={(passkey) => change((all) => [...all, passkey])}
            />
          </>
        )}
      </RemoteContent>
      <RenameDialog passkey={renamed} onClose={() => setRenamed(null)} rename={rename} />
      <ConfirmDialog
        open={removed !== null}
        title={words('passkeyRemoveTitle')}
        text={words('passkeyRemoveText')}
        stay={words('cancel')}
        go={words('passkeyRemoveConfirm')}
        onStay={() => setRemoved(null)}
        onGo={() => removed !== null && void remove(removed)}
      />
    </Section>
  );
}

function PasskeyRow({
  passkey: { name, host, created_at: createdAt, last_used_at: lastUsedAt },
  rename,
  remove,
}: {
  passkey: Passkey;
  rename: () => void;
  remove: () => void;
}) {
  const words = useTranslate('account');
  const lang = useLang();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <span className="min-w-48 flex-1 break-words">
        {name}
        <span className="block text-sm text-text-quiet">
          {words('passkeyAdded', { date: formatDate(createdAt, lang) })}
        </span>
        <span className="block text-sm text-text-quiet">
          {lastUsedAt === null
            ? words('passkeyUnused')
            : words('sessionLastUsed', { time: formatDayAndTime(lastUsedAt, lang) })}
        </span>
        {host === location.hostname ? null : (
          <span className="block text-sm text-danger">{words('passkeyOtherHost', { host })}</span>
        )}
      </span>
      <span className="flex flex-wrap gap-3">
        <button
          type="button"
          className={SECONDARY}
          aria-label={words('passkeyRenameNamed', { name })}
          onClick={rename}
        >
          {words('passkeyRename')}
        </button>
        <button
          type="button"
          className={SECONDARY}
          aria-label={words('passkeyRemoveNamed', { name })}
          onClick={remove}
        >
          {words('passkeyRemove')}
        </button>
      </span>
    </li>
  );
}

function AddPasskey({ isFull, onAdded }: { isFull: boolean; onAdded: (passkey: Passkey) => void }) {
  const words = useTranslate('account');
  const getErrorMessage = useErrorMessage();
  const buildDefaultName = useDefaultName();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  if (!hasPasskeys()) return <p className="mt-3 text-sm text-text-quiet">{words('passkeysUnsupported')}</p>;
  const add = async () => {
    setIsBusy(true);
    setFailure(null);
    const name = buildDefaultName();
    const answer = await import('./add-passkey.ts').then(
      ({ addPasskey }) => retryAfterSignIn(() => addPasskey(name), pageSession),
      () => NETWORK_FAILURE,
    );
    setIsBusy(false);
    if (!answer.ok) return setFailure(answer);
    onAdded(answer.data);
    showToast({ text: words('passkeySaved', { name: answer.data.name }) });
  };
  const isCancelled = failure?.code === 'passkey_cancelled';
  return (
    <div className="mt-4 flex flex-col items-start gap-2">
      <button
        type="button"
        className={SECONDARY}
        disabled={isBusy || isFull}
        aria-busy={isBusy}
        onClick={() => void add()}
      >
        {words(isBusy ? 'passkeyAdding' : 'passkeyAdd')}
      </button>
      <p
        role={isCancelled ? 'status' : 'alert'}
        className={`text-sm empty:hidden ${isCancelled ? 'text-state' : 'text-danger'}`}
      >
        {failure === null ? null : getErrorMessage(failure)}
      </p>
      {isFull ? (
        <p className="text-sm text-text-quiet">
          {getErrorMessage({ ...NETWORK_FAILURE, code: 'passkey_limit' })}
        </p>
      ) : null}
    </div>
  );
}

function RenameDialog({
  passkey,
  onClose,
  rename,
}: {
  passkey: Passkey | null;
  onClose: () => void;
  rename: (passkey: Passkey, name: string) => Promise<Failure | null>;
}) {
  const words = useTranslate('account');
  const titleId = useId();
  useReturnFocus(passkey !== null);
  return (
    <Modal open={passkey !== null} onClose={onClose} labelledBy={titleId} closeOnBackdrop className={PANEL}>
      <DialogHead titleId={titleId} title={words('passkeyRenameTitle')} />
      {passkey === null ? null : <RenameForm passkey={passkey} onClose={onClose} rename={rename} />}
    </Modal>
  );
}

function RenameForm({
  passkey,
  onClose,
  rename,
}: {
  passkey: Passkey;
  onClose: () => void;
  rename: (passkey: Passkey, name: string) => Promise<Failure | null>;
}) {
  const words = useTranslate('account');
  const getErrorMessage = useErrorMessage();
  const id = useId();
  const [name, setName] = useState(passkey.name);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (name.trim() === '' || isBusy) return;
    setIsBusy(true);
    const refusal = await rename(passkey, name.trim());
    // Without a refusal, the dialog is closed now.
    if (refusal === null) return;
    setIsBusy(false);
    setFailure(refusal);
  };
  return (
    <form noValidate className="flex flex-col gap-3" onSubmit={(event) => void submit(event)}>
      <label htmlFor={id} className="font-medium">
        {words('passkeyNameLabel')}
      </label>
      <input
        id={id}
        className={`${FIELD} w-full px-3 py-2`}
        autoComplete="off"
        maxLength={PASSKEY.maxNameChars}
        value={name}
        aria-describedby={`${id}-wrong`}
        onChange={(event) => setName(event.target.value)}
      />
      <p id={`${id}-wrong`} role="alert" className="text-sm text-danger empty:hidden">
        {failure === null ? null : getErrorMessage(failure)}
      </p>
      <div className="mt-2 flex flex-wrap gap-3">
        <button type="submit" className={PRIMARY} disabled={isBusy || name.trim() === ''} aria-busy={isBusy}>
          {words('save')}
        </button>
        <button type="button" className={SECONDARY} onClick={onClose}>
          {words('cancel')}
        </button>
      </div>
    </form>
  );
}
