import { atom, type ReadableAtom } from 'nanostores';
import type { ChatDeps, ChatState } from '../chat.ts';
import { joinedDraft } from './drafts.ts';

/** The box in which one writes, and what the device keeps of it. */
export interface DraftBox {
  /** The text in it. */
  $draft: ReadableAtom<string>;
  write(text: string): void;
  /** Shows what was kept of a conversation's box. What stands in the box by now goes along, and out of where it was. */
  take(conversationId: string): void;
  /** Nothing stands in it, and it is no conversation's; what is kept stays. */
  leave(): void;
  /** Puts a text that was not sent before what stands in it. */
  putBack(text: string): void;
  /** Puts a text into it under what the person wrote there; it can be taken out again. */
  putUnder(text: string): void;
  /** Another tab wrote what the device keeps of a box. */
  heard(conversationId: string, before: string, now: string): void;
}

export function createDraftBox(
  drafts: ChatDeps['drafts'],
  state: () => Pick<ChatState, 'boxed'>,
  change: (part: Pick<ChatState, 'boxed'>) => void,
): DraftBox {
  const $draft = atom('');
  // The conversation that the text in the box is kept for.
  let boxOf: string | null = null;

  function write(text: string): void {
    $draft.set(text);
    if (boxOf !== null) drafts.saveDraft(boxOf, text);
  }

  return {
    $draft,
    write,
    take(id) {
      const typed = $draft.get();
      if (boxOf === id) return;
      if (boxOf !== null && typed !== '' && drafts.draft(boxOf) === typed) drafts.saveDraft(boxOf, '');
      boxOf = id;
      const text = joinedDraft(drafts.draft(id), typed);
      $draft.set(text);
      if (typed !== '') drafts.saveDraft(id, text);
      void drafts.openBox(id).then((found) => {
        if (found && boxOf === id) $draft.set(drafts.draft(id));
      });
    },
    leave() {
      $draft.set('');
      boxOf = null;
    },
    putBack(text) {
      const draft = $draft.get();
      write(draft === '' || draft === text ? text : `${text}\n${draft}`);
    },
    putUnder(text) {
      const { boxed } = state();
      const draft = $draft.get();
      const before = boxed?.after === draft ? boxed.before : draft;
      const kept = before.trim() === '' ? '' : `${before.trimEnd()}\n`;
      write(kept + text);
      change({ boxed: { before, after: kept + text, from: kept.length } });
    },
    heard(id, before, now) {
      const text = $draft.get();
      // Another tab emptied its box: what is written here is still a draft.
      if (id === boxOf && now === '' && text !== '' && text !== before) drafts.saveDraft(id, text);
    },
  };
}
