import { useStore } from '@nanostores/react';
import { memo, useEffect, useState } from 'react';
import { useChatField } from '../chat-context.ts';
import { $orphanedEdits, parseEditKey } from './edit-drafts.ts';
import type { OrphanedEdit } from './OrphanedEdit.tsx';

/**
 * Unsaved edits of messages that were deleted in the meantime, shown at the end of the remaining messages. Their script loads
 * when there is one; until then, and if that fails, their texts stay stored on the device.
 */
export const OrphanedEdits = memo(function OrphanedEdits() {
  const orphaned = useStore($orphanedEdits, { ssr: 'initial' });
  const openId = useChatField('conversation')?.id;
  const shown = orphaned.filter((key) => parseEditKey(key).conversationId === openId);
  const [Edit, setEdit] = useState<typeof OrphanedEdit | null>(null);
  const isWanted = shown.length > 0;
  useEffect(() => {
    if (!isWanted) return;
    let isMounted = true;
    import('./OrphanedEdit.tsx').then(
      (loaded) => isMounted && setEdit(() => loaded.OrphanedEdit),
      () => window.dispatchEvent(new Event('loreloom:network-trouble')),
    );
    return () => {
      isMounted = false;
    };
  }, [isWanted]);
  return Edit && shown.map((key) => <Edit key={key} lost={key} />);
});
