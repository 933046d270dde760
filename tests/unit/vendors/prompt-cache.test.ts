import { describe, expect, test } from 'vitest';
import type { ModelMessage } from '../../../src/vendors/model.ts';
import { buildCacheFields } from '../../../src/vendors/prompt-cache.ts';

const messages: ModelMessage[] = [
  { role: 'system', content: 'You are Mira.' },
  { role: 'user', content: 'Hello.' },
  { role: 'assistant', content: 'You came.' },
  { role: 'user', content: 'Yes.' },
];
const build = (baseUrl: string, model = 'some-model') =>
  buildCacheFields(
    { baseUrl, model, apiKey: null },
    { messages, maxTokens: 10, temperature: 1, cacheKey: 'conversation-1' },
  );

describe('Fields for prompt caches', () => {
  test('an unknown server gets the messages and no further field', () => {
    for (const url of ['http://127.0.0.1:8000/v1', 'https://example.org/v1', 'nonsense'])
      expect(build(url)).toEqual({ messages });
  });

  test('OpenAI and Azure get the key of the conversation and are asked for the usage', () => {
    for (const url of ['https://api.openai.com/v1', 'https://loom.openai.azure.com/openai/v1'])
      expect(build(url)).toEqual({
        messages,
        stream_options: { include_usage: true },
        prompt_cache_key: 'conversation-1',
      });
  });

  test('DeepSeek and OpenRouter are asked for the usage', () => {
    expect(build('https://api.deepseek.com')).toEqual({ messages, stream_options: { include_usage: true } });
    expect(build('https://openrouter.ai/api/v1', 'deepseek/deepseek-v3')).toEqual({
      messages,
      usage: { include: true },
    });
  });

  test('a model of Anthropic gets marks after the system message and at the end', () => {
    const sent = build('https://openrouter.ai/api/v1', 'anthropic/claude').messages;
    const isMarked = sent.map(({ content }) => typeof content !== 'string');
    expect(isMarked).toEqual([true, false, false, true]);
    expect(sent[0]?.content).toEqual([
      { type: 'text', text: 'You are Mira.', cache_control: { type: 'ephemeral' } },
    ]);
  });
});
