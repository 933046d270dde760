/**
 * Separates a reply from the thinking that models write into the same text, and from the marks of their chat templates.
 * Servers that do not parse them (vLLM without a reasoning parser, Ollama, LM Studio, llama.cpp) pass them on as they are.
 * Pure: the same text gives the same result, however it is split into pieces.
 */

/** What a piece of text adds to a reply. */
export interface SeparatedText {
  text: string;
  thinking: string;
  /** All text before this piece was thinking, because only its closing tag came. `thinking` begins with that text. */
  isRetracted: boolean;
}

/** The tags around thinking, as opening and closing ones. */
const THINKING_TAGS: readonly (readonly [string, string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  // Seed-OSS.
  ['<seed:think>', '</seed:think>'],
  // Kimi.
  ['◁think▷', '◁/think▷'],
  // Magistral.
  ['[think]', '[/think]'],
  // Command A.
  ['<|start_thinking|>', '<|end_thinking|>'],
  // gpt-oss: all channels but the final one.
  ['<|channel|>analysis<|message|>', '<|end|>'],
  ['<|channel|>commentary<|message|>', '<|end|>'],
  // Gemma.
  ['<|channel>thought', '<channel|>'],
];

/** Closing tags that some templates leave without an opening one, because the prompt contains it. */
const LONE_CLOSING_TAGS = THINKING_TAGS.map(([, close]) => close).filter((tag) =>
  /^(?:<\/|\[\/|◁\/)/.test(tag),
);

/** The beginning of gpt-oss's final channel. */
const HEADERS = ['<|start|>assistant', '<|channel|>final<|message|>'];

/** Marks of the end of a turn; what follows is not part of the reply. */
const END_MARKS = [
  '</s>',
  '<|im_end|>',
  '<|im_start|>',
  '<|end|>',
  '<|return|>',
  '<|eot_id|>',
  '<|start_header_id|>',
  '<|endoftext|>',
  '<|end_of_text|>',
  '<|end_of_turn|>',
  '<|end_of_turn_token|>',
  '<end_of_turn>',
  '<start_of_turn>',
  '<eos>',
  '[inst]',
  '[/inst]',
  '<｜end▁of▁sentence｜>',
];

type MarkKind = 'open' | 'close' | 'header' | 'end';

interface Mark {
  kind: MarkKind;
  /** In lower case. */
  sign: string;
  /** The tag that ends the thinking; only of an opening tag. */
  closing: string;
}

const toMarks = (kind: MarkKind, signs: readonly string[]): Mark[] =>
  signs.map((sign) => ({ kind, sign, closing: '' }));

const IN_TEXT: readonly Mark[] = [
  ...THINKING_TAGS.map(([sign, closing]): Mark => ({ kind: 'open', sign, closing })),
  ...toMarks('close', LONE_CLOSING_TAGS),
  ...toMarks('header', HEADERS),
  ...toMarks('end', END_MARKS),
];

/** The marks that count inside thinking: its closing tag, and what ends every thinking. */
const IN_THINKING = new Map(
  THINKING_TAGS.map(([, closing]) => [
    closing,
    [
      ...toMarks('close', closing === '<|end|>' ? [closing, '<|channel|>final<|message|>'] : [closing]),
      ...toMarks('end', ['</s>', '<|im_end|>', '<|eot_id|>', '<|return|>', '<end_of_turn>']),
    ],
  ]),
);

const FIRST_CHARACTER = /[<◁[]/;

/** Splits the text of one reply; see `SeparatedText`. */
export class ThinkingParser {
  #text = '';
  #held = '';
  /** The tag that ends the thinking in progress; null in text. */
  #closing: string | null = null;
  #hadThinking = false;
  #isOver = false;

  /** Whether a mark has ended the reply; further text is ignored. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Reads the next piece. What may be the beginning of a mark is held until it is clear. */
  push(piece: string): SeparatedText {
    return this.#read(this.#held + piece, false);
  }

  /** Marks the reply as complete: a mark that was only begun is text. */
  end(): SeparatedText {
    return this.#read(this.#held, true);
  }

  #read(input: string, isLast: boolean): SeparatedText {
    const out: SeparatedText = { text: '', thinking: '', isRetracted: false };
    const before = this.#text.length;
    let rest = input;
    this.#held = '';
    while (rest !== '' && !this.#isOver) {
      const at = rest.search(FIRST_CHARACTER);
      if (at !== 0) {
        this.#add(out, at === -1 ? rest : rest.slice(0, at));
        rest = at === -1 ? '' : rest.slice(at);
        continue;
      }
      const found = findMark(this.#closing === null ? IN_TEXT : (IN_THINKING.get(this.#closing) ?? []), rest);
      if (found === 'incomplete' && !isLast) {
        this.#held = rest;
        break;
      }
      if (typeof found === 'string' || !this.#isMark(found)) {
        this.#add(out, rest.slice(0, 1));
        rest = rest.slice(1);
        continue;
      }
      rest = rest.slice(found.sign.length);
      this.#apply(found, out, before);
    }
    return out;
  }

  #add(out: SeparatedText, more: string): void {
    if (this.#closing !== null) {
      out.thinking += more;
      return;
    }
    out.text += more;
    this.#text += more;
  }

  #apply({ kind, closing }: Mark, out: SeparatedText, before: number): void {
    if (kind === 'end') this.#isOver = true;
    else if (kind === 'open') {
      this.#closing = closing;
      this.#hadThinking = true;
    } else if (kind === 'close' && this.#closing !== null) this.#closing = null;
    else if (kind === 'close' && !this.#hadThinking) {
      out.isRetracted = before > 0;
      out.thinking += this.#text;
      out.text = '';
      this.#text = '';
      this.#hadThinking = true;
    }
  }

  /** Whether a mark counts here; in code, and as the end of struck-through HTML, it is text. */
  #isMark({ sign }: Mark): boolean {
    if (this.#closing !== null) return true;
    const line = this.#text.slice(this.#text.lastIndexOf('\n') + 1);
    if (line.split('`').length % 2 === 0) return false;
    return sign !== '</s>' || !this.#text.includes('<s>');
  }
}

/** Finds the mark at the beginning of a text; `incomplete` when more text may complete one. */
function findMark(marks: readonly Mark[], text: string): Mark | 'none' | 'incomplete' {
  let isIncomplete = false;
  for (const mark of marks) {
    const start = text.slice(0, mark.sign.length).toLowerCase();
    if (start === mark.sign) return mark;
    isIncomplete ||= mark.sign.startsWith(start);
  }
  return isIncomplete ? 'incomplete' : 'none';
}
