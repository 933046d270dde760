import { useCallback, useEffect, useState } from 'react';
import { Dictionaries, type Dictionary, useWords } from '../shared/i18n.tsx';
import { deviceStorage } from '../shared/device-storage.ts';
import { forgetOfflineCopies } from '../shared/offline-copies.ts';
import { SECONDARY } from '../shared/styles.ts';
import { Sure } from '../shared/ui/ConfirmDialog.tsx';
import { showToast, UNDO_MS } from '../shared/toasts-state.ts';
import { type Kept, lookAtDevice, takeOff } from './device-contents.ts';
import '../admin/admin-layout.css';

const KINDS = ['drafts', 'unsent', 'copies'] as const;
type Kind = (typeof KINDS)[number];

/** What this device keeps of whoever uses it, and how to take it off. */
export function Device({ lang, dictionary }: { lang: string; dictionary: Dictionary<'settings'> }) {
  return (
    <Dictionaries lang={lang} dictionary={dictionary}>
      <DeviceView />
    </Dictionaries>
  );
}

function DeviceView() {
  const words = useWords('settings');
  const [kept, setKept] = useState<Kept | null>(null);
  const [asking, setAsking] = useState(false);
  const look = useCallback(async () => {
    setKept(await lookAtDevice(deviceStorage(), globalThis.caches ?? null));
  }, []);
  useEffect(() => {
    void look();
    const again = () => void look();
    // Other tabs write, and send what waits.
    window.addEventListener('storage', again);
    window.addEventListener('focus', again);
    return () => {
      window.removeEventListener('storage', again);
      window.removeEventListener('focus', again);
    };
  }, [look]);

  const remove = (kind: Kind) => {
    if (kind === 'copies') return setAsking(true);
    const putBack = takeOff(deviceStorage(), kind);
    void look();
    showToast({
      text: words('removed'),
      durationMs: UNDO_MS,
      action: {
        label: words('undo'),
        act: () => {
          putBack();
          void look();
        },
      },
    });
  };
  const removeCopies = async () => {
    setAsking(false);
    await forgetOfflineCopies();
    await look();
    showToast({ text: words('removed') });
  };

  if (kept === null) {
    return (
      <p role="status" className="text-text-quiet">
        {words('looking')}
      </p>
    );
  }
  const there = KINDS.filter((kind) => kept[kind] > 0);
  return (
    <>
      {there.length === 0 ? <p>{words('nothingKept')}</p> : null}
      <ul className="rows">
        {there.map((kind) => (
          <li key={kind} className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <span className="min-w-48 flex-1">
              {words(kind, { number: kept[kind] })}
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
      <Sure
        open={asking}
        title={words('copiesTitle')}
        text={words('copiesText')}
        stay={words('cancel')}
        go={words('copiesGo')}
        onStay={() => setAsking(false)}
        onGo={() => void removeCopies()}
      />
    </>
  );
}
