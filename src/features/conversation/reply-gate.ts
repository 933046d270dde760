import type { ModelPart } from '../../vendors/model.ts';
import type { RefusalRule } from '../safety/moderation.ts';
import { type OwnWords, OwnWordsTold, ownWords } from './own-words.ts';
import type { Names } from './prompt-sections.ts';

/** A part of a reply, or that a rule ended it: then nothing follows. */
export type GatedPart = ModelPart | { kind: 'refused'; rule: RefusalRule };

/** Who looks at a reply before it is told. */
export interface ReplyJudge {
  /**
   * What the rules say of a text, at once. Of one reply it is asked in the text's order.
   * @param fresh how much of the text's end is new
   */
  rules(text: string, fresh: number): RefusalRule | null;
  /** Asks a moderation model; null where none is configured. Never throws. */
  ask: ((text: string, signal: AbortSignal) => Promise<RefusalRule | null>) | null;
  /** What of its prompt a model may not tell (own-words.ts); left out where there is nothing of the kind. */
  own?: OwnWords;
  /**
   * Whether a text urges its reader to die or to hurt themself.
   * @param text the last of a reply, from a sentence's start
   * @param fresh how much of its end is new
   */
  urges?: (text: string, fresh: number) => boolean;
  /** In UTF-16 units: so much of a text is looked at together, or a sentence; 0 for each part as it comes. */
  step: number;
  /** Whether a text waits for the end of its sentence, as one does that a model is asked about. */
  bySentence?: boolean;
}

/** The same judge, who also sees to it that nobody is told the prompt. @param names of the story */
export const keepingPrompt = (judge: ReplyJudge, names: Names): ReplyJudge => ({
  ...judge,
  own: ownWords(names),
});

/** In UTF-16 units: what the rules are shown of a reply's end. What they look for stands together. */
export const WINDOW = 1200;
/** And so much of it, beside what is new, where urging is looked for: it stands in a sentence or two. */
export const URGING_WINDOW = 400;
/** What a moderation model is shown of it. */
const ASKED_WINDOW = 2000;
/** A sentence may be long, and nobody waits for its end for ever. */
export const HELD_AT_MOST = 400;

const SENTENCE_END = /[.!?…][\p{Pf}\p{Pe}"'*_]*\s|[。！？।\n]/u;

/** Up to the end of the last sentence or line in a text. */
const SENTENCES = /^[\s\S]*(?:[.!?…][\p{Pf}\p{Pe}"'*_]*(?=\s)|[。！？।][\p{Pf}\p{Pe}"'*_]*|\n)/u;

/** What may be judged of what is held: whole sentences, or all of it where it is as long as this. */
function ripe(held: string, enough: number): string {
  if (held.length >= enough) return held;
  return SENTENCES.exec(held)?.[0] ?? '';
}

/**
 * Lets a reply through as it is written, each text only once it was found to be fit to be told. With the rules alone, no
 * text waits for anybody: it is passed on with the part that brought it, or a few words later (`step`). A moderation model
 * is asked by sentences, and they wait for its answer. A text that is refused is not told, and the model is left.
 * @param begun what stands before it: a continued reply's text
 */
export async function* gated(
  parts: AsyncIterable<ModelPart>,
  judge: ReplyJudge,
  { begun = '', signal }: { begun?: string; signal: AbortSignal },
): AsyncGenerator<GatedPart> {
  const { ask, step } = judge;
  const enough = ask === null && judge.bySentence !== true ? step : HELD_AT_MOST;
  const tells = tellerOf(judge.own, begun);
  let before = begun.slice(-ASKED_WINDOW);
  let unseen = before.length;
  let held = '';
  for await (const part of parts) {
    if (part.kind === 'thinking') {
      yield part;
      continue;
    }
    if (part.kind === 'text') held += part.text;
    // What ends a reply ends its last sentence.
    const text = part.kind === 'text' ? ripe(held, enough) : held;
    if (text !== '') {
      const fresh = unseen + text.length;
      unseen = 0;
      const rule =
        judge.rules((before + text).slice(-WINDOW - text.length), fresh) ??
        (judge.urges?.(lastSentences(before) + text, fresh) ? 'urging' : null) ??
        (tells(text) ? 'prompt' : null);
      if (rule !== null) return yield { kind: 'refused', rule };
      if (ask !== null) {
        const refused = await unlessStopped(ask((before + text).slice(-ASKED_WINDOW), signal), signal);
        // What was held is told to nobody: they wished for no more.
        if (refused === 'stopped') return yield STOPPED;
        if (refused !== null) return yield { kind: 'refused', rule: refused };
      }
      held = held.slice(text.length);
      before = (before + text).slice(-ASKED_WINDOW);
      yield { kind: 'text', text };
    }
    if (part.kind !== 'text') return yield part;
  }
}

/** The end of what was told, from the beginning of a sentence: what a sentence denies stands at its beginning. */
function lastSentences(told: string): string {
  if (told.length <= URGING_WINDOW) return told;
  const end = told.slice(-URGING_WINDOW);
  const first = SENTENCE_END.exec(end);
  return first === null ? end : end.slice(first.index + first[0].length);
}

/** Asked of each text in its order: whether with it too much of a prompt's own words has been told. */
function tellerOf(own: OwnWords | undefined, begun: string): (text: string) => boolean {
  if (own === undefined) return () => false;
  const told = new OwnWordsTold(own);
  told.tells(begun.slice(-ASKED_WINDOW));
  return (text) => told.tells(text);
}

const STOPPED = { kind: 'failure', code: 'aborted', detail: 'while its text was looked at' } as const;

/** What somebody answers, unless it is not waited for any more. */
function unlessStopped<T>(answer: Promise<T>, signal: AbortSignal): Promise<T | 'stopped'> {
  if (signal.aborted) return Promise.resolve('stopped');
  return new Promise((resolve, reject) => {
    const stop = () => resolve('stopped');
    signal.addEventListener('abort', stop, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
