import { useRef, useState } from 'react';
import type { StorageView } from '../../features/storage/contract.ts';
import { formatMegabytes } from '../../locales/format-amounts.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { createRemoteStore, type RemoteStore } from '../shared/remote-state.ts';
import { LINK, SECONDARY } from '../shared/styles.ts';
import { showToast } from '../shared/toasts-state.ts';
import { ConfirmDialog } from '../shared/ui/ConfirmDialog.tsx';
import { RemoteContent, Section } from './components.tsx';
import { eraseTrash, fetchStorage } from './storage-api.ts';

/** What the user stores, and emptying the trash. */
export function StorageSection({ plan }: { plan: string }) {
  const words = useTranslate('account');
  const section = useRef<HTMLElement>(null);
  const [remote] = useState<RemoteStore<StorageView>>(() => createRemoteStore(fetchStorage));
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const empty = async () => {
    setIsAsking(false);
    setIsBusy(true);
    const isDone = await eraseTrash();
    await remote.load();
    setIsBusy(false);
    section.current?.focus({ preventScroll: true });
    showToast(isDone ? { text: words('trashEmptied') } : { text: words('trashEmptyFailed'), kind: 'danger' });
  };
  return (
    <Section ref={section} id="storage" title={words('storageTitle')}>
      <p>{words('storageText')}</p>
      <RemoteContent remote={remote} room="min-h-24">
        {(storage) => (
          <StorageUse storage={storage} plan={plan} isBusy={isBusy} onEmpty={() => setIsAsking(true)} />
        )}
      </RemoteContent>
      <ConfirmDialog
        open={isAsking}
        title={words('trashEmptyTitle')}
        text={words('trashEmptyText')}
        stay={words('cancel')}
        go={words('trashEmpty')}
        onStay={() => setIsAsking(false)}
        onGo={() => void empty()}
      />
    </Section>
  );
}

function StorageUse({
  storage: { used_bytes: used, limit_bytes: limit, kinds },
  plan,
  isBusy,
  onEmpty,
}: {
  storage: StorageView;
  plan: string;
  isBusy: boolean;
  onEmpty: () => void;
}) {
  const words = useTranslate('account');
  const errors = useTranslate('errors');
  const lang = useLang();
  const summary = words('storageUsed', {
    used: formatMegabytes(used, lang),
    limit: formatMegabytes(limit, lang),
  });
  const taken = kinds.filter(({ bytes }) => bytes > 0);
  const hasTrash = taken.some(({ kind }) => kind === 'trash');
  return (
    <div className="flex flex-col items-start gap-3">
      <meter
        className="storage-bar"
        aria-label={words('storageTitle')}
        aria-valuetext={summary}
        min={0}
        max={limit}
        high={limit * 0.9}
        value={Math.min(used, limit)}
      />
      <p className="tabular-nums">{summary}</p>
      {used < limit ? null : <p className="text-danger">{words('storageFull')}</p>}
      {taken.length === 0 ? (
        <p className="text-text-quiet">{words('storageEmpty')}</p>
      ) : (
        <ul className="rows w-full">
          {taken.map(({ kind, bytes }) => (
            <li key={kind} className="flex justify-between gap-4">
              <span>{errors(`storage_${kind}`)}</span>
              <span className="tabular-nums">{formatMegabytes(bytes, lang)}</span>
            </li>
          ))}
        </ul>
      )}
      {hasTrash ? (
        <button type="button" className={SECONDARY} disabled={isBusy} aria-busy={isBusy} onClick={onEmpty}>
          {words(isBusy ? 'trashEmptying' : 'trashEmpty')}
        </button>
      ) : null}
      {plan === 'free' ? (
        <a className={`${LINK} row-link self-start`} href="/membership">
          {words('comparePlansLink')}
        </a>
      ) : null}
    </div>
  );
}
