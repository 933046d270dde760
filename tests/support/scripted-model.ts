import { expect, inject } from 'vitest';
import { createId } from '../../src/lib/ids.ts';
import type { RecordedRequest } from './model-server.mjs';

/** The scripted model server's controls, as a test inside the Workers runtime reaches them. */

function callControl(path: string): Promise<Response> {
  return fetch(inject('servers').modelUrl.replace(/\/v1$/, `/control/${path}`));
}

/** The texts of the system, joined by an empty line. */
function getSystemText(request: RecordedRequest | undefined): string {
  const { messages = [] } = (request?.body ?? {}) as { messages?: { role: string; content: string }[] };
  return messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => content)
    .join('\n\n');
}

/** One scenario under a key of its own: what to write in a message to get it, and what became of it. */
export interface ModelScene {
  /** Write this anywhere in a message. */
  marker: string;
  /** Resolves once so many requests stand at the gate. */
  reached(times?: number): Promise<void>;
  open(): Promise<void>;
  /** Resolves once so many requests are over. */
  ended(times?: number): Promise<void>;
  /** What the model was asked. */
  requests(): Promise<RecordedRequest[]>;
  /** What it was told before the messages when it was asked last. */
  getSystemPrompt(): Promise<string>;
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
    getSystemPrompt: async () => getSystemText((await requests()).at(-1)),
  };
}
