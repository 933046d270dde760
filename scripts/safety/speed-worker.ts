import { applyRules } from '../../src/features/safety/moderation.ts';
import { ReplyReader } from '../../src/features/safety/reply-reader.ts';

/** What the Worker reads: messages, or the sentences of a reply, each in tokens. */
export type SpeedRequest = { times: number } & ({ messages: string[] } | { sentences: string[][] });

/** A Worker that reads texts, so that `speed.ts` can measure what they take in the Workers runtime. */
export default {
  async fetch(request: Request): Promise<Response> {
    const work = await request.json<SpeedRequest>();
    for (let time = 0; time < work.times; time += 1)
      if ('messages' in work)
        for (const message of work.messages) applyRules(message, { place: 'message', adult: false });
      else readReply(work.sentences);
    return new Response('read');
  },
};

function readReply(sentences: readonly (readonly string[])[]): void {
  const around = { minor: false, sexual: false };
  const reader = new ReplyReader({ around, isMinorPresent: () => false, inCrisis: false });
  for (const tokens of sentences) {
    for (const token of tokens) reader.read(token);
    reader.end();
  }
}
