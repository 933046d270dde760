import { describe, expect, test } from 'vitest';
import { readLengthRefusal } from '../../../src/vendors/context-length.ts';

/** What servers answer to a request of 18,198 tokens for a window of 16,384, as their sources and their users show it. */
const REFUSALS: readonly [string, unknown, number | null][] = [
  [
    'OpenAI',
    {
      error: {
        message:
          "This model's maximum context length is 16384 tokens. However, you requested 18198 tokens (17198 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    },
    18_198 / 16_384,
  ],
  [
    'vLLM',
    {
      object: 'error',
      message:
        "This model's maximum context length is 16384 tokens. However, you requested 18198 tokens (17198 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    18_198 / 16_384,
  ],
  [
    'vLLM by the prompt alone',
    {
      error: {
        message:
          'The decoder prompt (length 18198) is longer than the maximum model length of 16384. Make sure that `max_model_len` is no smaller than the number of text tokens.',
        type: 'BadRequestError',
        code: 400,
      },
    },
    18_198 / 16_384,
  ],
  [
    'llama.cpp',
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 18_198,
        n_ctx: 16_384,
      },
    },
    18_198 / 16_384,
  ],
  [
    'an older llama.cpp',
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size',
        type: 'invalid_request_error',
      },
    },
    null,
  ],
  [
    'Mistral',
    {
      object: 'error',
      message:
        'Prompt contains 18198 tokens and 0 draft tokens, too large for model with 16384 maximum context length',
      type: 'invalid_request_prompt',
      code: '3051',
    },
    18_198 / 16_384,
  ],
  [
    'SGLang',
    {
      message: "The input (18198 tokens) is longer than the model's context length (16384 tokens).",
      code: 400,
    },
    18_198 / 16_384,
  ],
  [
    'TGI',
    {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 16384. Given: 17198 `inputs` tokens',
      error_type: 'validation',
    },
    null,
  ],
  [
    'LM Studio',
    {
      error:
        'Trying to keep the first 18198 tokens when context the overflows. However, the model is loaded with context length of only 16384 tokens, which is not enough.',
    },
    18_198 / 16_384,
  ],
  [
    'xAI',
    {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 16384 but the request contains 18198 tokens.",
    },
    18_198 / 16_384,
  ],
  [
    'OpenRouter',
    {
      error: {
        message:
          "This endpoint's maximum context length is 16384 tokens. However, you requested about 18198 tokens.",
        code: 400,
      },
    },
    18_198 / 16_384,
  ],
  [
    'Moonshot',
    { error: { message: 'Your request exceeded model token limit: 16384', type: 'invalid_request_error' } },
    null,
  ],
  [
    'Workers AI',
    {
      errors: [],
      error: {
        message:
          'AiError: The estimated number of input and maximum output tokens (18198) exceeded this model context window limit (16384).',
      },
    },
    18_198 / 16_384,
  ],
  [
    'Gemini',
    {
      error: {
        code: 400,
        message: 'The input token count (18198) exceeds the maximum number of tokens allowed (16384).',
        status: 'INVALID_ARGUMENT',
      },
    },
    null,
  ],
];

describe('A request that is longer than the context window', () => {
  test.each(REFUSALS)('the refusal of %s is recognised with its numbers', (_, body, excess) => {
    expect(readLengthRefusal(body)).toEqual({ excess });
  });

  test.each([
    ['a key', { error: { message: 'Incorrect API key provided: sk-16384', code: 'invalid_api_key' } }],
    ['a role', { error: { message: 'Conversation roles must alternate user/assistant/user/assistant/...' } }],
    [
      'the reply’s length',
      {
        error: {
          message: 'max_tokens is too large: 1000. This model supports at most 512 completion tokens.',
        },
      },
    ],
    ['the text', { error: { code: 'content_filter', message: 'The response was filtered.' } }],
    [
      'a busy server',
      { error: { message: 'Rate limit reached for gpt-4o on tokens per min', code: 'rate_limit_exceeded' } },
    ],
    ['no words', {}],
    ['nothing', null],
    ['a list', [1]],
  ])('a refusal about %s is none for the length', (_, body) => {
    expect(readLengthRefusal(body)).toBeNull();
  });

  test('numbers that cannot be the length of the request are not used', () => {
    const error = { code: 'context_length_exceeded', n_ctx: 16_384, n_prompt_tokens: 12_000 };
    expect(readLengthRefusal({ error })).toEqual({ excess: null });
    expect(readLengthRefusal({ error: { ...error, n_prompt_tokens: 20_261_129 } })).toEqual({ excess: null });
  });
});
