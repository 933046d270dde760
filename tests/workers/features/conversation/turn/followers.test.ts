import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Followers } from '../../../../../src/features/conversation/turn/followers.ts';
import { EventReader, joinDeltas } from '../../../../support/event-reader.ts';

/** The interval of keep-alive comments, in ms, before which the readers' sessions are read again. */
const KEEP_ALIVE_MS = 10_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** A reply with a reader for each session. */
async function createFollowers(
  findActive: (sessions: string[]) => Promise<ReadonlySet<string>>,
  sessions: string[],
) {
  const followers = new Followers('turn', findActive);
  const readers = await Promise.all(
    sessions.map((session) =>
      EventReader.fromResponse(
        new Response(followers.open([], session), { headers: { 'content-type': 'text/event-stream' } }),
      ),
    ),
  );
  let number = 0;
  const say = (text: string) =>
    followers.publish([{ number: (number += text.length), event: { event: 'delta', text } }]);
  /** Ends the reply and returns what each reader has received. */
  const end = () => {
    followers.close();
    return Promise.all(readers.map(async (reader) => joinDeltas(await reader.readRest())));
  };
  return { followers, say, end };
}

test('a reader whose session has ended is disconnected at the next keep-alive, and the others go on', async () => {
  const asked: string[][] = [];
  const findActive = async (sessions: string[]) => {
    asked.push(sessions);
    return new Set(['phone']);
  };
  const { say, end } = await createFollowers(findActive, ['phone', 'laptop', 'phone']);
  say('one ');
  await vi.advanceTimersByTimeAsync(KEEP_ALIVE_MS);
  say('two');
  expect(await end()).toEqual(['one two', 'one ', 'one two']);
  expect(asked).toEqual([['phone', 'laptop']]);
});

test('readers stay connected while sessions cannot be read', async () => {
  const findActive = () => Promise.reject(new Error('out of reach'));
  const { say, end } = await createFollowers(findActive, ['phone']);
  say('one ');
  await vi.advanceTimersByTimeAsync(KEEP_ALIVE_MS);
  say('two');
  expect(await end()).toEqual(['one two']);
});

test('closing a session disconnects its readers at once, and no others', async () => {
  const { followers, say, end } = await createFollowers(
    async (sessions) => new Set(sessions),
    ['phone', 'laptop'],
  );
  say('one ');
  followers.closeSession('phone');
  say('two');
  expect(await end()).toEqual(['one ', 'one two']);
});
