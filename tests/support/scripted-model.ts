import { env } from 'cloudflare:workers';
import { expect, inject } from 'vitest';
import { resetContextRatios } from '../../src/features/model/context-ratio-gateway.ts';
import { createId } from '../../src/lib/ids.ts';
import type { RecordedRequest } from './model-server.mjs';

/** The scripted model server's controls for tests inside the Workers runtime. */

function callControl(path: string): Promise<Response> {
  return fetch(inject('servers').modelUrl.replace(/\/v1$/, `/control/${path}`));
}

type PromptMessage = { role: string; content: string };

const getMessages = (request: RecordedRequest | undefined): PromptMessage[] =>
  ((request?.body ?? {}) as { messages?: PromptMessage[] }).messages ?? [];
const joinContents = (messages: readonly PromptMessage[]): string =>
  messages.map(({ content }) => content).join('\n\n');

/** A scenario with its own key: the marker for a message, and the requests it caused. */
export interface ModelScene {
  /** The marker to put anywhere in a message. */
  marker: string;
  /** Resolves once this many requests wait at the gate. */
  reached(times?: number): Promise<void>;
  open(): Promise<void>;
  /** Resolves once this many requests have ended. */
  ended(times?: number): Promise<void>;
  /** The requests to the model. */
  requests(): Promise<RecordedRequest[]>;
  /** The system messages of the last request. */
  getSystemPrompt(): Promise<string>;
  /** All messages of the last request. */
  getPrompt(): Promise<string>;
}

/** @param scenario e.g. `gate n=5`; see the head of model-server.mjs */
export function createScene(scenario: string): ModelScene {
  const key = createId(Date.now());
  const happened = async (what: string): Promise<void> => {
    const response = await callControl(what);
    expect({ what, status: response.status, ...(await response.json<object>()) }).toMatchObject({
      status: 200,
    });
  };
  const requests = async () =>
    (await (await callControl('requests')).json<RecordedRequest[]>()).filter(
      (request) => request.key === key,
    );
  return {
    marker: `[[scenario:${scenario} key=${key}]]`,
    reached: (times = 1) => happened(`reached?key=${key}&times=${times}`),
    open: () => happened(`open?key=${key}`),
    ended: (times = 1) => happened(`ended?key=${key}&times=${times}`),
    requests,
    getSystemPrompt: async () =>
      joinContents(getMessages((await requests()).at(-1)).filter(({ role }) => role === 'system')),
    getPrompt: async () => joinContents(getMessages((await requests()).at(-1))),
  };
}

/** Forgets what refusals have taught about context windows, in this isolate and in KV. */
export async function forgetContextRatios(): Promise<void> {
  await resetContextRatios();
  for (const { name } of (await env.KV.list({ prefix: 'model-context:' })).keys) await env.KV.delete(name);
}
