import { useCallback, useEffect, useState } from 'react';
import { TranslationProvider, type Dictionary, useTranslate } from '../shared/i18n.tsx';
import { getDeviceStorage } from '../shared/device-storage.ts';
import { clearOfflineCopies } from '../shared/offline-copies.ts';
import { SECONDARY } from '../shared/styles.ts';
import { ConfirmDialog } from '../shared/ui/ConfirmDialog.tsx';
import { showToast, UNDO_MS } from '../shared/toasts-state.ts';
import { type DeviceContents, inspectDevice, removeFromDevice } from './device-contents.ts';
import '../admin/admin-layout.css';

const DATA_KINDS = ['drafts', 'unsent', 'copies', 'chatSettings'] as const;
type DataKind = (typeof DATA_KINDS)[number];

/** The user's data on this device, with buttons to remove it. */
export function DeviceData({ lang, dictionary }: { lang: string; dictionary: Dictionary<'settings'> }) {
  return (
    <TranslationProvider lang={lang} dictionary={dictionary}>
      <DeviceDataView />
    </TranslationProvider>
  );
}

function DeviceDataView() {
  const words = useTranslate('settings');
  const [contents, setContents] = useState<DeviceContents | null>(null);
  const [confirmingKind, setConfirmingKind] = useState(false);
  const inspect = useCallback(async () => {
    setContents(await inspectDevice(getDeviceStorage(), globalThis.caches ?? null));
  }, []);
  useEffect(() => {
    void inspect();
    const again = () => void inspect();
    // Other tabs write drafts and send queued messages.
    window.addEventListener('storage', again);
    window.addEventListener('focus', again);
    return () => {
      window.removeEventListener('storage', again);
      window.removeEventListener('focus', again);
    };
  }, [inspect]);

  const remove = (kind: DataKind) => {
    if (kind === 'copies') return setConfirmingKind(true);
    const undoRemoval = removeFromDevice(getDeviceStorage(), kind);
    void inspect();
    showToast({
      text: words('removed'),
      durationMs: UNDO_MS,
      action: {
        label: words('undo'),
        run: () => {
          undoRemoval();
          void inspect();
        },
      },
    });
  };
  const removeCopies = async () => {
    setConfirmingKind(false);
    await clearOfflineCopies();
    await inspect();
    showToast({ text: words('removed') });
  };

  if (contents === null) {
    return (
      <p role="status" className="text-text-quiet">
        {words('deviceLoading')}
      </p>
    );
  }
  const there = DATA_KINDS.filter((kind) => contents[kind] > 0);
  return (
    <>
      {there.length === 0 ? <p>{words('deviceEmpty')}</p> : null}
      <ul className="rows">
        {there.map((kind) => (
          <li key={kind} className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <span className="min-w-48 flex-1">
              {words(kind, { number: contents[kind] })}
              <span className="block text-sm text-text-quiet">{words(`${kind}Note`)}</span>
            </span>
            <button
              type="button"
              className={SECONDARY}
              aria-label={words(`${kind}Remove`)}
              onClick={() => remove(kind)}
            >
              {words('remove')}
            </button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={confirmingKind}
        title={words('copiesRemoveTitle')}
        text={words('copiesRemoveText')}
        stay={words('cancel')}
        go={words('copiesRemoveConfirm')}
        onStay={() => setConfirmingKind(false)}
        onGo={() => void removeCopies()}
      />
    </>
  );
}
