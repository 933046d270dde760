import type { TestChatBody } from '../../../features/conversation/turn/test-chat-contract.ts';
import type { PointsStatus } from '../../../features/wallet/contract.ts';
import { type Client, client, readJson, type Result } from '../../shared/api.ts';
import { readTurnStream } from '../../shared/chat-api.ts';
import type { ReplyStream } from '../../shared/sse.ts';
import { createPersonasApi } from '../../personas/personas-api.ts';

/** The calls of a test chat. Tests put their own in its place. */
export interface TestChatApi {
  /** Ends, and is charged no more than what was written, when the signal is aborted or the stream closed. */
  sendTestMessage(body: TestChatBody, signal: AbortSignal): Promise<Result<ReplyStream>>;
  /** What the person is called by their default persona; null when they have none. */
  persona(): Promise<Result<string | null>>;
  points(): Promise<Result<PointsStatus>>;
}

export function createTestChatApi(calls: Client): TestChatApi {
  const { characters, points } = calls;
  const { list } = createPersonasApi(calls);
  return {
    sendTestMessage: (body, signal) =>
      readTurnStream(characters['test-chat'].$post({ json: body }, { init: { signal } })),
    async persona() {
      const answer = await list();
      if (!answer.ok) return answer;
      return { ok: true, data: answer.data.items.find((one) => one.is_default)?.name ?? null };
    },
    points: () => readJson(points.$get()),
  };
}

/** The calls of a page. */
export const testChatApi: TestChatApi = createTestChatApi(client);
