/** How far back the person's newest message is looked for, should it not fit by itself. */
const MAX_LOOK_BACK_MESSAGES = 8;

/** A message of the history as it is sent, with its cost. */
export interface HistoryLine {
  id: string;
  versionId: string;
  role: 'user' | 'character';
  text: string;
  tokens: number;
}

/** The history, newest first, each message read from its source once and no sooner than it is asked for. */
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

  /** The texts, newest first, each read when it is asked for. */
  *readTexts(): Generator<string> {
    for (let index = 0; ; index += 1) {
      const message = this.#readAt(index);
      if (message === null) return;
      yield message.text;
    }
  }

  /**
   * Whole messages from the newest back until the next would not fit. The person's newest message, and what follows
   * it, always count.
   * @returns newest first, and whether these are all there are
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
