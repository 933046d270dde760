/** How many messages to search for the user's newest one, if it does not fit into the budget. */
const MAX_LOOK_BACK_MESSAGES = 8;

/** A message as it is sent to the model, with its estimated tokens. */
export interface HistoryLine {
  id: string;
  versionId: string;
  role: 'user' | 'character';
  text: string;
  tokens: number;
}

/** A part of the history, newest first. */
export interface TakenHistory {
  messages: HistoryLine[];
  /** Estimated tokens of these messages. */
  tokens: number;
  /** Whether the history has no further messages. */
  isComplete: boolean;
}

/** The history, newest first. Each message is read from its source lazily and only once. */
export class PromptHistory {
  readonly #source: Iterator<HistoryLine>;
  readonly #read: HistoryLine[] = [];

  /** @param source newest first */
  constructor(source: Iterable<HistoryLine>) {
    this.#source = source[Symbol.iterator]();
  }

  #readAt(index: number): HistoryLine | null {
    while (this.#read.length <= index) {
      const next = this.#source.next();
      if (next.done === true) return null;
      this.#read.push(next.value);
    }
    return this.#read[index] ?? null;
  }

  /** The messages, newest first, read lazily. */
  *readLines(): Generator<HistoryLine> {
    for (let index = 0; ; index += 1) {
      const message = this.#readAt(index);
      if (message === null) return;
      yield message;
    }
  }

  /**
   * Returns whole messages from the newest back until the next one does not fit. The user's newest message and all
   * messages after it are always included.
   * @param budget in estimated tokens
   */
  take(budget: number): TakenHistory {
    let count = 0;
    let spent = 0;
    let tokens = 0;
    let sawPerson = false;
    for (let index = 0; ; index += 1) {
      const message = this.#readAt(index);
      if (message === null) break;
      spent += message.tokens;
      const fits = count === index && spent <= budget;
      const isFromUser = message.role === 'user';
      if (fits || (isFromUser && !sawPerson)) [count, tokens] = [index + 1, spent];
      else if (sawPerson || index >= MAX_LOOK_BACK_MESSAGES) break;
      sawPerson ||= isFromUser;
    }
    const newest = this.#readAt(0);
    if (count === 0 && newest !== null) [count, tokens] = [1, newest.tokens];
    return { messages: this.#read.slice(0, count), tokens, isComplete: this.#readAt(count) === null };
  }

  /**
   * Returns the messages from the newest back to `startId`; null when they do not all fit.
   * @param startId null for the whole history
   */
  takeFrom(startId: string | null, budget: number): TakenHistory | null {
    const taken = this.take(budget);
    if (startId === null) return taken.isComplete && taken.tokens <= budget ? taken : null;
    const messages = taken.messages.slice(0, taken.messages.findIndex(({ id }) => id === startId) + 1);
    if (messages.length === 0) return null;
    const tokens = messages.reduce((sum, message) => sum + message.tokens, 0);
    return { messages, tokens, isComplete: this.#readAt(messages.length) === null };
  }
}
