import { atom, type ReadableAtom } from 'nanostores';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import type { FeedbackBody, FeedbackResponse } from '../../features/feedback/contract.ts';
import { hasVisibleText } from '../../lib/sanitize-text.ts';
import { client, readJson, type Failure, type Result } from '../shared/api.ts';
import { getDeviceStorage } from '../shared/device-storage.ts';
import { USER_KEY_PREFIXES } from '../shared/user-storage.ts';

/** A draft key, so that logging out erases it. */
const DRAFT_KEY = `${USER_KEY_PREFIXES.draft}feedback`;

export interface FeedbackState {
  status: 'writing' | 'sending' | 'sent';
  message: string;
  /** Reply address; empty for none. */
  email: string;
  /** True after the first attempt to send: a missing text is reported only then, a long one at once. */
  tried: boolean;
  failure: Failure | null;
}

export interface FeedbackStore {
  $feedback: ReadableAtom<FeedbackState>;
  /**
   * Restores the draft kept on this device. Call it in the browser: storage is not available during server rendering.
   */
  restoreDraft(): void;
  write(part: Partial<Pick<FeedbackState, 'message' | 'email'>>): void;
  send(): Promise<void>;
  /** Starts a new message after one was sent. */
  startAgain(): void;
}

const EMPTY_FEEDBACK: FeedbackState = {
  status: 'writing',
  message: '',
  email: '',
  tried: false,
  failure: null,
};

/** The error that prevents sending, or null. */
export function validateMessage({ message, tried }: FeedbackState): 'missing' | 'too_long' | null {
  if (message.length > TEXT_LIMITS.feedback) return 'too_long';
  return tried && !hasVisibleText(message) ? 'missing' : null;
}

export function createFeedbackStore(
  send: (body: FeedbackBody) => Promise<Result<FeedbackResponse>>,
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null,
): FeedbackStore {
  const $feedback = atom(EMPTY_FEEDBACK);
  const set = (part: Partial<FeedbackState>) => $feedback.set({ ...$feedback.get(), ...part });
  function saveDraft(message: string): void {
    try {
      if (message === '') storage()?.removeItem(DRAFT_KEY);
      else storage()?.setItem(DRAFT_KEY, message);
    } catch {
      // Storage is full or blocked; the text is still on the page.
    }
  }
  return {
    $feedback,
    restoreDraft() {
      try {
        const message = storage()?.getItem(DRAFT_KEY) ?? '';
        if (message !== '' && $feedback.get().message === '') set({ message });
      } catch {
        // Storage is blocked; there is no draft.
      }
    },
    write(part) {
      set({ ...part, failure: null });
      if (part.message !== undefined) saveDraft(part.message);
    },
    async send() {
      set({ tried: true, failure: null });
      const state = $feedback.get();
      if (state.status === 'sending' || validateMessage(state) !== null) return;
      set({ status: 'sending' });
      const email = state.email.trim();
      const answer = await send({ message: state.message, ...(email === '' ? {} : { email }) });
      if (!answer.ok) return set({ status: 'writing', failure: answer });
      saveDraft('');
      $feedback.set({ ...EMPTY_FEEDBACK, status: 'sent' });
    },
    startAgain: () => $feedback.set(EMPTY_FEEDBACK),
  };
}

export const feedbackStore: FeedbackStore = createFeedbackStore(
  (body) => readJson(client.feedback.$post({ json: body })),
  getDeviceStorage,
);
