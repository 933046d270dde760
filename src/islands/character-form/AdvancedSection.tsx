import { useStore } from '@nanostores/react';
import { type ComponentType, useEffect, useState } from 'react';
import { useWords } from '../shared/i18n.tsx';
import { Icon } from '../shared/ui/Icon.tsx';
import { SECONDARY } from '../shared/styles.ts';
import { isExtra } from './form-rules.ts';
import { lore } from './lorebook/lore.ts';
import { CLOSED_LORE } from './lorebook/lore-state.ts';
import { useForm } from './use-field-errors.ts';

/** What most characters have only out of a card; closed where there is nothing of it, and fetched when it is opened. */
export function More() {
  const words = useWords('create');
  const { fields, who, id, importId } = useForm();
  const { open } = useStore(lore.$view, { ssr: 'initial' });
  const [Editor, setEditor] = useState<ComponentType | null>(null);
  const [failed, setFailed] = useState(false);
  const has = isExtra(fields);

  // Anew for each form, and for each card that comes into it.
  useEffect(() => {
    lore.see({ ...CLOSED_LORE, open: has });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what is emptied while it is open stays open
  }, [who, id, importId]);
  useEffect(() => {
    if (!open || Editor !== null || failed) return;
    let wanted = true;
    import('./AdvancedFields.tsx').then(
      ({ MoreFields }) => wanted && setEditor(() => MoreFields),
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
        if (currentTarget.open !== lore.$view.get().open) lore.see({ open: currentTarget.open });
      }}
    >
      <summary>
        <h2>{words('moreTitle')}</h2>
        <Icon name="chevron" />
        <span className="form-note">{words('moreNote')}</span>
      </summary>
      {open && Editor !== null ? <Editor /> : null}
      {open && Editor === null && !failed ? (
        <p role="status" className="form-note">
          {words('moreLoading')}
        </p>
      ) : null}
      {failed ? (
        <div role="alert" className="form-notice">
          <p>{words('moreFailed')}</p>
          <button type="button" className={SECONDARY} onClick={() => setFailed(false)}>
            {words('tryAgain')}
          </button>
        </div>
      ) : null}
    </details>
  );
}
