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
   * @returns newest first, and whether the history has no further messages
   */
  take(budget: number): { messages: HistoryLine[]; isComplete: boolean } {
    let count = 0;
    let spent = 0;
    let sawPerson = false;
    for (let index = 0; ; index += 1) {
      const message = this.#readAt(index);
      if (message === null) break;
      spent += message.tokens;
      const fits = count === index && spent <= budget;
      const isFromUser = message.role === 'user';
      if (fits || (isFromUser && !sawPerson)) count = index + 1;
      else if (sawPerson || index >= MAX_LOOK_BACK_MESSAGES) break;
      sawPerson ||= isFromUser;
    }
    if (count === 0 && this.#readAt(0) !== null) count = 1;
    return { messages: this.#read.slice(0, count), isComplete: this.#readAt(count) === null };
  }
}
