import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../../src/config/languages.ts';
import {
  countTokens,
  detectTokenizer,
  estimateTokens,
} from '../../../../src/features/model/estimate-tokens.ts';
import { type CountedMessage, readCountedMessages } from '../../../support/counted-messages.ts';
import { TOKENIZERS } from '../../../../src/features/model/token-weights.ts';

describe.each(LANGUAGES)('500 messages in the language %s', (language) => {
  const messages = readCountedMessages(language);

  test.each(TOKENIZERS)('the sum for %s is at most 3 %% too low and 20 %% too high', (tokenizer) => {
    const sum = (count: (message: CountedMessage) => number) =>
      messages.reduce((total, message) => total + count(message), 0);
    const truth = sum((message) => message[TOKENIZERS.indexOf(tokenizer) + 1] as number);
    const estimate = sum(([text]) => countTokens(text, tokenizer));
    expect(messages).toHaveLength(500);
    expect(estimate / truth).toBeGreaterThan(0.97);
    expect(estimate / truth).toBeLessThan(1.2);
  });
});

test('the estimate of an unknown tokenizer is the highest of all', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const all = TOKENIZERS.map((tokenizer) => countTokens(text, tokenizer));
      expect(countTokens(text, null)).toBe(Math.max(...all));
    }),
  );
});

test('the estimate of a joined text is that of its parts, and a message has a frame', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.constantFrom(...TOKENIZERS), (one, other, tokenizer) => {
      const parts = countTokens(one, tokenizer) + countTokens(other, tokenizer);
      expect(Math.abs(countTokens(one + other, tokenizer) - parts)).toBeLessThanOrEqual(1);
      expect(estimateTokens(one, tokenizer)).toBeGreaterThan(countTokens(one, tokenizer));
    }),
  );
});

test.each([
  ['gpt-4o-mini', 'o200k'],
  ['openai/gpt-4.1', 'o200k'],
  ['gpt-5-mini', 'o200k'],
  ['o3-mini', 'o200k'],
  ['openai/gpt-oss-120b', 'o200k'],
  ['gpt-4-turbo', 'cl100k'],
  ['gpt-3.5-turbo', 'cl100k'],
  ['gpt-35-turbo', 'cl100k'],
  ['meta-llama/Llama-3.1-8B-Instruct', 'llama3'],
  ['llama3.2:3b', 'llama3'],
  ['@cf/meta/llama-3.3-70b-instruct-fp8-fast', 'llama3'],
  ['accounts/fireworks/models/llama-v3p1-70b-instruct', 'llama3'],
  ['Sao10K/L3-8B-Stheno-v3.2', 'llama3'],
  ['NousResearch/Hermes-3-Llama-3.1-8B', 'llama3'],
  ['mistralai/Mistral-7B-Instruct-v0.3', 'mistral-v1'],
  ['open-mixtral-8x22b', 'mistral-v1'],
  ['mistral-small-2409', 'mistral-v1'],
  ['mistral-large-2407', 'mistral-v1'],
  ['mistralai/Mistral-Nemo-Instruct-2407', 'tekken'],
  ['mistralai/mistral-small-3.2-24b-instruct', 'tekken'],
  ['Mistral-Small-24B-Instruct-2501', 'tekken'],
  ['mistral-small-latest', 'tekken'],
  ['ministral-8b-latest', 'tekken'],
  ['mistral-large-2512', 'tekken'],
  ['nvidia/llama-3.1-nemotron-70b-instruct', 'llama3'],
  ['nvidia/nemotron-mini-4b-instruct', null],
  ['pixtral-large-2411', null],
  ['deepseek-chat', null],
  ['qwen3:8b', null],
  ['google/gemma-3-27b-it', null],
  ['meta-llama/Llama-2-7b-chat-hf', null],
  ['roleplay', null],
])('the tokenizer of the model %s is %s', (model, tokenizer) => {
  expect(detectTokenizer(model)).toBe(tokenizer);
});
