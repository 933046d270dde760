import { atom, type ReadableAtom } from 'nanostores';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import type { FeedbackBody, FeedbackKept } from '../../features/feedback/contract.ts';
import { hasVisibleText } from '../../lib/visible-text.ts';
import { client, dataOf, type Failure, type Result } from '../shared/api.ts';
import { deviceStorage } from '../shared/device-storage.ts';
import { PRIVATE_KEYS } from '../shared/user-storage.ts';

/** A draft like any other: who logs out leaves none behind. */
const KEPT_AS = `${PRIVATE_KEYS.draft}feedback`;

export interface FeedbackState {
  status: 'writing' | 'sending' | 'sent';
  message: string;
  /** Where an answer may go; empty for none. */
  email: string;
  /** Whether it was tried to send: what is missing is said only then, what is too long at once. */
  tried: boolean;
  failure: Failure | null;
}

export interface Feedback {
  $feedback: ReadableAtom<FeedbackState>;
  /** Brings back what this device kept; a page has it only once it is in a browser. */
  recall(): void;
  write(part: Partial<Pick<FeedbackState, 'message' | 'email'>>): void;
  send(): Promise<void>;
  /** Begins a new message after one was sent. */
  again(): void;
}

const EMPTY: FeedbackState = { status: 'writing', message: '', email: '', tried: false, failure: null };

/** What keeps a message from being sent. */
export function messageTrouble({ message, tried }: FeedbackState): 'missing' | 'too_long' | null {
  if (message.length > TEXT_LIMITS.feedback) return 'too_long';
  return tried && !hasVisibleText(message) ? 'missing' : null;
}

export function createFeedback(
  send: (body: FeedbackBody) => Promise<Result<FeedbackKept>>,
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null,
): Feedback {
  const $feedback = atom(EMPTY);
  const set = (part: Partial<FeedbackState>) => $feedback.set({ ...$feedback.get(), ...part });
  function keep(message: string): void {
    try {
      if (message === '') storage()?.removeItem(KEPT_AS);
      else storage()?.setItem(KEPT_AS, message);
    } catch {
      // What cannot be kept on the device still stands on the page.
    }
  }
  return {
    $feedback,
    recall() {
      try {
        const message = storage()?.getItem(KEPT_AS) ?? '';
        if (message !== '' && $feedback.get().message === '') set({ message });
      } catch {
        // A closed storage holds no draft.
      }
    },
    write(part) {
      set({ ...part, failure: null });
      if (part.message !== undefined) keep(part.message);
    },
    async send() {
      set({ tried: true, failure: null });
      const state = $feedback.get();
      if (state.status === 'sending' || messageTrouble(state) !== null) return;
      set({ status: 'sending' });
      const email = state.email.trim();
      const answer = await send({ message: state.message, ...(email === '' ? {} : { email }) });
      if (!answer.ok) return set({ status: 'writing', failure: answer });
      keep('');
      $feedback.set({ ...EMPTY, status: 'sent' });
    },
    again: () => $feedback.set(EMPTY),
  };
}

/** The feedback of a page. */
export const feedback: Feedback = createFeedback(
  (body) => dataOf(client.feedback.$post({ json: body })),
  deviceStorage,
);
