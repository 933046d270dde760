import { atom, type ReadableAtom } from 'nanostores';
import type { ChatDeps, ChatState } from '../chat.ts';
import { joinDrafts } from './drafts.ts';

/** The composer's text and its stored draft. */
export interface ComposerDraft {
  $draft: ReadableAtom<string>;
  setText(text: string): void;
  /**
   * Loads a conversation's draft. Text in the composer moves along: it is appended, and removed from the draft of the
   * conversation that it was typed in.
   */
  load(conversationId: string): void;
  /** Empties the composer without a conversation; stored drafts are kept. */
  reset(): void;
  /** Puts a text that was not sent before the composer's text. */
  prependText(text: string): void;
  /** Inserts a text below the user's own. `boxed` keeps both, so that the insertion can be undone. */
  insertBelow(text: string): void;
  /** Called when another tab changed a stored draft. */
  handleRemoteChange(conversationId: string, before: string, now: string): void;
}

export function createComposerDraft(
  drafts: ChatDeps['drafts'],
  state: () => Pick<ChatState, 'boxed'>,
  change: (part: Pick<ChatState, 'boxed'>) => void,
): ComposerDraft {
  const $draft = atom('');
  // The conversation whose draft is shown.
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
      // Another tab emptied its composer, but this tab's text is still a draft.
      if (id === ownerId && now === '' && text !== '' && text !== before) drafts.saveDraft(id, text);
    },
  };
}
