import { useStore } from '@nanostores/react';
import { type ComponentType, useEffect, useState } from 'react';
import { useTranslate } from '../shared/i18n.tsx';
import type { DictionaryUrls } from '../shared/load-messages.ts';
import { Icon } from '../shared/ui/Icon.tsx';
import { SECONDARY } from '../shared/styles.ts';
import { hasExtras } from './form-rules.ts';
import { lorebookStore } from './lorebook/lorebook-store.ts';
import { CLOSED_LOREBOOK } from './lorebook/lorebook-state.ts';
import { useCharacterForm } from './use-field-errors.ts';

/** Fields that most characters lack or only have after a card import. Closed while empty; the editor loads when opened. */
export function AdvancedSection({ chatWords }: { chatWords: DictionaryUrls<'chat'> }) {
  const words = useTranslate('create');
  const { fields, who, id, importId } = useCharacterForm();
  const { open } = useStore(lorebookStore.$view, { ssr: 'initial' });
  const [Editor, setEditor] = useState<ComponentType<{ chatWords: DictionaryUrls<'chat'> }> | null>(null);
  const [failed, setFailed] = useState(false);
  const has = hasExtras(fields) || fields.about !== '';

  // Reset for each form and each imported card.
  useEffect(() => {
    lorebookStore.updateView({ ...CLOSED_LOREBOOK, open: has });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- emptying the fields must not close the section
  }, [who, id, importId]);
  useEffect(() => {
    if (!open || Editor !== null || failed) return;
    let wanted = true;
    import('./AdvancedFields.tsx').then(
      ({ AdvancedFields: MoreFields }) => wanted && setEditor(() => MoreFields),
      () => wanted && setFailed(true),
    );
    return () => {
      wanted = false;
    };
  }, [open, Editor, failed]);

  return (
    <details
      className="form-part form-more"
      open={open}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== lorebookStore.$view.get().open)
          lorebookStore.updateView({ open: currentTarget.open });
      }}
    >
      <summary>
        <h2>{words('advancedTitle')}</h2>
        <Icon name="chevron" />
        <span className="form-note">{words('advancedNote')}</span>
      </summary>
      {open && Editor !== null ? <Editor chatWords={chatWords} /> : null}
      {open && Editor === null && !failed ? (
        <p role="status" className="form-note">
          {words('advancedLoading')}
        </p>
      ) : null}
      {failed ? (
        <div role="alert" className="form-notice">
          <p>{words('advancedLoadFailed')}</p>
          <button type="button" className={SECONDARY} onClick={() => setFailed(false)}>
            {words('tryAgain')}
          </button>
        </div>
      ) : null}
    </details>
  );
}
