import { useEffect } from 'react';
import { dismissToast, showToast } from '../shared/toasts-state.ts';
import { useTranslate } from '../shared/i18n.tsx';
import type { Undoable } from './chat.ts';
import { useChatField, useMessageCommands } from './chat-context.ts';
import { $undoable, TRASH_DAYS } from './state/undo-state.ts';

/** Offers to undo the last action. */
export function UndoToasts() {
  const words = useTranslate('chat');
  const commands = useMessageCommands();
  const id = useChatField('conversation')?.id ?? null;
  useEffect(() => {
    let toast: number | null = null;
    const offer = (done: Undoable | null) => {
      if (toast !== null) dismissToast(toast);
      toast =
        done &&
        showToast({
          text: formatUndo(done),
          action: { label: words('undo'), run: () => void commands.undo() },
        });
    };
    const formatUndo = ({ kind, count }: Undoable) =>
      kind === 'edited' ? words('editedToast') : words('deletedToast', { count, days: TRASH_DAYS });
    const stop = $undoable.listen(offer);
    return () => {
      stop();
      // Undo belongs to this conversation. Once it is left, the trash can still restore the messages.
      $undoable.set(null);
      if (toast !== null) dismissToast(toast);
    };
  }, [id, words, commands]);
  return null;
}
