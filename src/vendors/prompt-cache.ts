import type { ModelEndpoint, ModelMessage, ModelRequest } from './model.ts';

/**
 * What providers want to hear about prompts whose beginning they keep. Most keep it unasked. Servers that do not know a
 * field may refuse the request, so each field is sent only to the hosts that document it.
 */

/** Anthropic keeps a prompt up to a mark, and only then. */
type MarkedMessage = Omit<ModelMessage, 'content'> & {
  content: string | { type: 'text'; text: string; cache_control: { type: 'ephemeral' } }[];
};

const getHost = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '');

/** Returns the messages, with marks where the endpoint takes them, and further fields of the request. */
export function buildCacheFields(
  { baseUrl, model }: ModelEndpoint,
  { messages, cacheKey }: ModelRequest,
): { messages: MarkedMessage[] } & Record<string, unknown> {
  const host = getHost(baseUrl);
  if (host === 'api.openai.com' || host.endsWith('.openai.azure.com'))
    return {
      messages,
      stream_options: { include_usage: true },
      ...(cacheKey === undefined ? {} : { prompt_cache_key: cacheKey }),
    };
  if (host === 'api.deepseek.com') return { messages, stream_options: { include_usage: true } };
  if (host !== 'openrouter.ai') return { messages };
  const usage = { usage: { include: true } };
  return model.startsWith('anthropic/') ? { messages: markEnds(messages), ...usage } : { messages, ...usage };
}

/** Marks the end of what rarely changes, and of the whole prompt, with which the next one begins. */
function markEnds(messages: readonly ModelMessage[]): MarkedMessage[] {
  return messages.map((message, place) =>
    message.role === 'system' || place === messages.length - 1
      ? {
          ...message,
          content: [{ type: 'text', text: message.content, cache_control: { type: 'ephemeral' } }],
        }
      : message,
  );
}
