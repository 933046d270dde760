import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../../../src/config/languages.ts';
import { type Prompt } from '../../../../../src/features/conversation/prompt/build-prompt.ts';
import { MAX_REPLY_TOKENS } from '../../../../../src/features/conversation/prompt/reply-tokens.ts';
import { detectTokenizer } from '../../../../../src/features/model/estimate-tokens.ts';
import { TOKENIZERS, type Tokenizer } from '../../../../../src/features/model/token-weights.ts';
import { buildSamplePrompt, type Line } from '../../../../support/prompts.ts';
import { type CountedMessage, readCountedMessages } from '../../../../support/counted-messages.ts';

const CHAT_MESSAGES = 700;
/** The instructions are in English, of which every tokenizer makes less than a token of three characters. */
const CHARS_PER_INSTRUCTION_TOKEN = 3;
/** A name in the place of a macro may be longer. */
const MAX_TOKENS_PER_ADDED_CHAR = 3;

/** A server that refuses what does not fit into its window, and counts as its model's tokenizer does. */
interface CountingServer {
  model: string;
  tokenizer: Tokenizer;
  window: number;
  /** What its chat template adds to a message. */
  frames: Record<'system' | 'user' | 'assistant', number>;
}

const SERVERS: readonly CountingServer[] = [
  {
    model: 'meta-llama/Llama-3.1-8B-Instruct',
    tokenizer: 'llama3',
    window: 16_384,
    frames: { system: 5, user: 5, assistant: 5 },
  },
  {
    model: 'mistralai/Mistral-7B-Instruct-v0.2',
    tokenizer: 'mistral-v1',
    window: 32_768,
    // [INST] and [/INST] are words to this tokenizer.
    frames: { system: 0, user: 8, assistant: 1 },
  },
];

/** Builds the longest prompt that a chat can have: the last one before its history is cut. */
function buildFullestPrompt(input: Parameters<typeof buildSamplePrompt>[0]): Prompt {
  let fullest = buildSamplePrompt(input);
  for (let [from, to] = [0, CHAT_MESSAGES - fullest.included]; from < to;) {
    const first = Math.floor((from + to) / 2);
    const prompt = buildSamplePrompt({ ...input, startId: `m${first}` });
    const isKept = prompt.included === CHAT_MESSAGES - first;
    if (isKept) [fullest, to] = [prompt, first];
    else from = first + 1;
  }
  return fullest;
}

describe.each(SERVERS)('A server that counts as $tokenizer with $window tokens', (server) => {
  test('its tokenizer follows from the name of its model', () => {
    expect(detectTokenizer(server.model)).toBe(server.tokenizer);
  });

  describe.each([server.tokenizer, null])('with the tokenizer set to %s', (tokenizer) => {
    test.each(LANGUAGES)('it answers a chat of 700 messages in the language %s', (language) => {
      const counted = readCountedMessages(language);
      const column = TOKENIZERS.indexOf(server.tokenizer);
      const chat = Array.from(
        { length: CHAT_MESSAGES },
        (_, index) => counted[index % counted.length] as CountedMessage,
      );
      const history = chat.map(([content], index): Line => {
        return { role: index % 2 === 0 ? 'character' : 'user', content };
      });
      const prompt = buildFullestPrompt({ history, tokenizer, contextTokens: server.window });
      const { included, messages } = prompt;
      const spoken = messages.slice(-included);
      // In English: the rules, and the cue before a character's message.
      const instructions = messages.slice(0, -included);
      const tokens = [
        ...instructions.map(({ role, content }) => {
          return Math.ceil(content.length / CHARS_PER_INSTRUCTION_TOKEN) + server.frames[role];
        }),
        ...spoken.map(({ role, content }, index) => {
          const [text, ...counts] = chat.at(index - included) as CountedMessage;
          const added = Math.max(0, content.length - text.length) * MAX_TOKENS_PER_ADDED_CHAR;
          return (counts[column] as number) + added + server.frames[role];
        }),
      ];
      const total = tokens.reduce((sum, each) => sum + each, MAX_REPLY_TOKENS);
      expect(instructions.map(({ role }) => role).slice(0, 2)).toEqual(
        spoken[0]?.role === 'user' ? ['system'] : ['system', 'user'],
      );
      expect(total).toBeLessThanOrEqual(server.window);
      // What fits is used: a chat that does not fit as a whole fills most of the window.
      if (included < CHAT_MESSAGES && tokenizer !== null) expect(total).toBeGreaterThan(server.window * 0.8);
    });
  });
});
