import type { ModelPart } from '../../../vendors/model.ts';
import { findRepetition, getJoiner } from './join-continuation.ts';
import { matchSpeaker } from './speaker-lines.ts';

/** The names under which models write lines of a script. */
export interface ReplySpeakers {
  /** Removed from the beginning of a reply. */
  own: readonly string[];
  /** A line of theirs ends the reply: the model writes for the user. */
  user: readonly string[];
}

/** Names that chat templates use. */
const OWN_NAMES = ['Assistant'];
const USER_NAMES = ['User', 'Human'];

/**
 * Returns the names of a reply.
 * @param isNamed whether replies are to begin with a name, because several people speak
 */
export function getReplySpeakers(names: { user: string; char: string }, isNamed: boolean): ReplySpeakers {
  const { user, char } = names;
  const isOther = (name: string) => name !== '' && name.toLowerCase() !== char.toLowerCase();
  return { own: isNamed ? OWN_NAMES : [...OWN_NAMES, char], user: [...USER_NAMES, user].filter(isOther) };
}

/**
 * The text of one reply on its way from the model: without blanks around it, without the speaker's name before it, and
 * without what the model writes for the user. A continuation loses what it repeats of the reply. Pure: the same text gives
 * the same result, however it is split into pieces.
 */
class ReplyText {
  readonly #base: string;
  readonly #speakers: ReplySpeakers;
  #hasBegun = false;
  #isAtLineStart = false;
  /** Read but not yet decided. */
  #held = '';
  /** Blanks that are part of the reply only if text follows. */
  #blanks = '';
  #isOver = false;

  constructor(base: string, speakers: ReplySpeakers) {
    this.#base = base;
    this.#speakers = speakers;
  }

  /** Whether a line for the user has ended the reply. */
  get isOver(): boolean {
    return this.#isOver;
  }

  push(piece: string): string {
    return this.#read(this.#held + piece, false);
  }

  /** @param isCut whether the model reached its limit, so that blanks at the end separate the next word */
  end(isCut: boolean): string {
    const text = this.#read(this.#held, true);
    return isCut && !this.#isOver ? text + this.#blanks : text;
  }

  #read(input: string, isLast: boolean): string {
    this.#held = '';
    let rest = this.#hasBegun ? input : this.#begin(input, isLast);
    let text = '';
    while (rest !== '' && !this.#isOver) {
      const lineEnd = rest.indexOf('\n') + 1;
      const line = lineEnd === 0 ? rest : rest.slice(0, lineEnd);
      if (this.#isAtLineStart) {
        const match = matchSpeaker(line, this.#speakers.user);
        if (match === 'incomplete' && lineEnd === 0 && !isLast) {
          this.#held = rest;
          break;
        }
        this.#isOver = typeof match === 'object';
        if (this.#isOver) break;
      }
      text += line;
      rest = rest.slice(line.length);
      this.#isAtLineStart = lineEnd > 0;
    }
    const all = this.#blanks + text;
    const shown = all.trimEnd();
    this.#blanks = all.slice(shown.length);
    return shown;
  }

  /** Returns the beginning of the reply as it is shown; empty, and the input held, until it is known. */
  #begin(input: string, isLast: boolean): string {
    const spoken = input.trimStart();
    const match = matchSpeaker(spoken, this.#speakers.own);
    const start = typeof match === 'object' ? spoken.slice(match.length).trimStart() : spoken;
    const repeated = this.#base === '' ? 0 : findRepetition(this.#base, start);
    if (!isLast && (start === '' || match === 'incomplete' || repeated === null)) {
      this.#held = input;
      return '';
    }
    this.#hasBegun = true;
    if (this.#base === '') return start;
    if (repeated !== null && repeated > 0) return start.slice(repeated);
    const text = typeof match === 'object' ? start : input;
    return getJoiner(this.#base, text) + text;
  }
}

/**
 * Passes the parts of a reply on with its text as it is shown; see `ReplyText`.
 * @param base the text before it, of a continued reply
 */
export async function* trimReply(
  parts: AsyncIterable<ModelPart>,
  speakers: ReplySpeakers,
  base = '',
): AsyncGenerator<ModelPart> {
  let reply = new ReplyText(base, speakers);
  for await (const part of parts) {
    if (part.kind === 'retracted') reply = new ReplyText(base, speakers);
    const isLast = part.kind === 'finish' || part.kind === 'failure';
    const isCut = part.kind === 'finish' && part.reason === 'length';
    const text = part.kind === 'text' ? reply.push(part.text) : isLast ? reply.end(isCut) : '';
    if (text !== '') yield { kind: 'text', text };
    if (reply.isOver) return yield { kind: 'finish', reason: 'stop' };
    if (part.kind !== 'text') yield part;
  }
}
