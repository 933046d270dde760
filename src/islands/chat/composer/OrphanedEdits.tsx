import { useStore } from '@nanostores/react';
import { memo } from 'react';
import { useChatField } from '../chat-context.ts';
import { createLazyComponent } from '../LazyComponent.tsx';
import { $orphanedEdits, parseEditKey } from './edit-drafts.ts';

const Edit = createLazyComponent(async () => (await import('./OrphanedEdit.tsx')).OrphanedEdit);

/**
 * Unsaved edits of messages that were deleted in the meantime, shown at the end of the remaining messages. Until their script
 * is loaded, the device stores their texts.
 */
export const OrphanedEdits = memo(function OrphanedEdits() {
  const orphaned = useStore($orphanedEdits, { ssr: 'initial' });
  const openId = useChatField('conversation')?.id;
  return orphaned
    .filter((key) => parseEditKey(key).conversationId === openId)
    .map((key) => <Edit key={key} lost={key} />);
});
