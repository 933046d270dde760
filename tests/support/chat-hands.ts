import { message, settled, streams, user, world } from './chat-world.ts';

// What tests do in a chat, and what they look at.

export type World = Awaited<ReturnType<ReturnType<typeof world>['opened']>>;

export const said = (w: World) => w.shown.map(([content, delivery]) => `${content} (${delivery})`);
export const sent = (w: World) =>
  w.made('sendMessage').map(([, body]) => (body as { content: string }).content);
export const outbox = (w: World) => JSON.parse(w.memory.get('outbox:c1') ?? '[]') as { turnId: string }[];

export async function write(w: World, text: string): Promise<void> {
  w.chat.setDraft(text);
  await w.chat.send('recommended');
}

/** Answers the next send with a whole reply. */
export function willAnswer(w: World, turnId: string, text: string, number: number): void {
  const line = w.connect();
  w.will('sendMessage', async () => {
    setImmediate(async () => {
      await line.say(turnId, 0, {
        event: 'accepted',
        user_message: { ...user(`u${number}`, text), client_message_id: turnId },
        reply: message(`r${number}`, { status: 'streaming' }),
      });
      await line.say(turnId, 2, {
        event: 'done',
        reply: message(`r${number}`, { content: `Reply ${number}` }),
        points: null,
      });
    });
    return streams(line);
  });
}

export const untilQuiet = async () => {
  for (let turn = 0; turn < 20; turn += 1) await settled();
};
