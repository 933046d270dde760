import {
  createMessage,
  flushPromises,
  streamResult,
  createUserMessage,
  createChatFixture,
} from './chat-fixture.ts';

// Actions and checks of chat tests.

export type OpenedChat = Awaited<ReturnType<ReturnType<typeof createChatFixture>['openChat']>>;

export const listShown = (w: OpenedChat) => w.shown.map(([content, delivery]) => `${content} (${delivery})`);
export const listSent = (w: OpenedChat) =>
  w.made('sendMessage').map(([, body]) => (body as { content: string }).content);
export const readOutbox = (w: OpenedChat) =>
  JSON.parse(w.memory.get('outbox:c1') ?? '[]') as { turnId: string }[];

export async function sendText(w: OpenedChat, text: string): Promise<void> {
  w.chat.setDraft(text);
  await w.chat.send('recommended');
}

/** Queues a complete reply for the next message. */
export function queueReply(w: OpenedChat, turnId: string, text: string, number: number): void {
  const line = w.connect();
  w.queueAnswers('sendMessage', async () => {
    setImmediate(async () => {
      await line.emit(turnId, 0, {
        event: 'accepted',
        user_message: { ...createUserMessage(`u${number}`, text), client_message_id: turnId },
        reply: createMessage(`r${number}`, { status: 'streaming' }),
      });
      await line.emit(turnId, 2, {
        event: 'done',
        reply: createMessage(`r${number}`, { content: `Reply ${number}` }),
        points: null,
      });
    });
    return streamResult(line);
  });
}

export const waitUntilIdle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await flushPromises();
};
