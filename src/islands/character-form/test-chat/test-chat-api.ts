import type { TestChatBody } from '../../../features/conversation/turn/test-chat-contract.ts';
import type { PointsStatus } from '../../../features/wallet/contract.ts';
import { type Client, client, readJson, type Result } from '../../shared/api.ts';
import { readTurnStream } from '../../shared/chat-api.ts';
import type { ReplyStream } from '../../shared/sse.ts';
import { createPersonasApi } from '../../personas/personas-api.ts';

/** API calls of a test chat; tests pass their own. */
export interface TestChatApi {
  /** Aborting the signal or closing the stream ends the reply; only the text written until then is charged. */
  sendTestMessage(body: TestChatBody, signal: AbortSignal): Promise<Result<ReplyStream>>;
  /** The name of the persona that starts chats with the character; null if the user has none. */
  persona(characterId: string | null): Promise<Result<string | null>>;
  points(): Promise<Result<PointsStatus>>;
}

export function createTestChatApi(calls: Client): TestChatApi {
  const { characters, points } = calls;
  const { list } = createPersonasApi(calls);
  return {
    sendTestMessage: (body, signal) =>
      readTurnStream(characters['test-chat'].$post({ json: body }, { init: { signal } })),
    async persona(characterId) {
      const answer = await list();
      if (!answer.ok) return answer;
      const { items } = answer.data;
      const own = items.find((one) => characterId !== null && one.character_id === characterId);
      return { ok: true, data: (own ?? items.find((one) => one.is_default))?.name ?? null };
    },
    points: () => readJson(points.$get()),
  };
}

export const testChatApi: TestChatApi = createTestChatApi(client);
