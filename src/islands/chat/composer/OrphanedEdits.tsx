import { useStore } from '@nanostores/react';
import { memo } from 'react';
import { useChatField } from '../chat-context.ts';
import { useLazyComponent } from '../use-lazy-component.ts';
import { $orphanedEdits, parseEditKey } from './edit-drafts.ts';

const loadEdit = async () => (await import('./OrphanedEdit.tsx')).OrphanedEdit;

/**
 * Unsaved edits of messages that were deleted in the meantime, shown at the end of the remaining messages. Until their script
 * is loaded, the device stores their texts.
 */
export const OrphanedEdits = memo(function OrphanedEdits() {
  const orphaned = useStore($orphanedEdits, { ssr: 'initial' });
  const openId = useChatField('conversation')?.id;
  const shown = orphaned.filter((key) => parseEditKey(key).conversationId === openId);
  const Edit = useLazyComponent(loadEdit, shown.length > 0);
  return Edit && shown.map((key) => <Edit key={key} lost={key} />);
});
