import { atom, type ReadableAtom } from 'nanostores';
import type { ChatDeps, ChatState } from '../chat.ts';
import { joinDrafts } from './drafts.ts';

/** The box in which one writes, and what the device keeps of it. */
export interface ComposerDraft {
  /** The text in it. */
  $draft: ReadableAtom<string>;
  setText(text: string): void;
  /** Shows what was kept of a conversation's box. What stands in the box by now goes along, and out of where it was. */
  load(conversationId: string): void;
  /** Nothing stands in it, and it is no conversation's; what is kept stays. */
  reset(): void;
  /** Puts a text that was not sent before what stands in it. */
  prependText(text: string): void;
  /** Puts a text into it under what the person wrote there; it can be taken out again. */
  insertBelow(text: string): void;
  /** Another tab wrote what the device keeps of a box. */
  handleRemoteChange(conversationId: string, before: string, now: string): void;
}

export function createComposerDraft(
  drafts: ChatDeps['drafts'],
  state: () => Pick<ChatState, 'boxed'>,
  change: (part: Pick<ChatState, 'boxed'>) => void,
): ComposerDraft {
  const $draft = atom('');
  // The conversation that the text in the box is kept for.
  let ownerId: string | null = null;

  function setText(text: string): void {
    $draft.set(text);
    if (ownerId !== null) drafts.saveDraft(ownerId, text);
  }

  return {
    $draft,
    setText,
    load(id) {
      const typed = $draft.get();
      if (ownerId === id) return;
      if (ownerId !== null && typed !== '' && drafts.getDraft(ownerId) === typed)
        drafts.saveDraft(ownerId, '');
      ownerId = id;
      const text = joinDrafts(drafts.getDraft(id), typed);
      $draft.set(text);
      if (typed !== '') drafts.saveDraft(id, text);
      void drafts.claimDraft(id).then((found) => {
        if (found && ownerId === id) $draft.set(drafts.getDraft(id));
      });
    },
    reset() {
      $draft.set('');
      ownerId = null;
    },
    prependText(text) {
      const draft = $draft.get();
      setText(draft === '' || draft === text ? text : `${text}\n${draft}`);
    },
    insertBelow(text) {
      const { boxed } = state();
      const draft = $draft.get();
      const before = boxed?.after === draft ? boxed.before : draft;
      const kept = before.trim() === '' ? '' : `${before.trimEnd()}\n`;
      setText(kept + text);
      change({ boxed: { before, after: kept + text, from: kept.length } });
    },
    handleRemoteChange(id, before, now) {
      const text = $draft.get();
      // Another tab emptied its box: what is written here is still a draft.
      if (id === ownerId && now === '' && text !== '' && text !== before) drafts.saveDraft(id, text);
    },
  };
}
