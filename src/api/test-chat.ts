import { type Context, Hono } from 'hono';
import type { z } from 'zod';
import { REPLY_TEMPERATURE, REPLY_TOKENS } from '../features/conversation/prompt.ts';
import { type Rating, ratingOf } from '../features/conversation/rating.ts';
import { gated } from '../features/conversation/reply-gate.ts';
import { testChatBody } from '../features/conversation/test-chat-contract.ts';
import { testPrompt } from '../features/conversation/test-prompt.ts';
import { beginTestTurn } from '../features/conversation/test-turn.ts';
import { judgeOf, type TextJudge } from '../features/conversation/text-judge.ts';
import { chooseModel } from '../features/model/choice.ts';
import { defaultPersona } from '../features/persona/persona-store.ts';
import { moderatorOf } from '../features/safety/moderator-ports.ts';
import { newId } from '../ids.ts';
import { MODEL_TIMEOUTS, streamChat } from '../vendors/model.ts';
import { spicyModeOff } from './characters.ts';
import type { ApiEnv } from './context.ts';
import { EVENT_HEADERS, pointsProblem } from './conversation-door.ts';
import { answers, takesTimeZone } from './describe.ts';
import { requireCaller } from './guards.ts';
import { ownName } from './language.ts';
import { refuseLargeBook } from './lorebooks.ts';
import { refusal, refuseTexts, textsOfCharacter } from './moderating.ts';
import { requireCreator } from './permissions.ts';
import { standingOf, walletOf } from './points.ts';
import { Problem } from './problems.ts';
import { valid } from './valid.ts';

/** In UTF-16 units: what was said last belongs to the same scene. */
const SCENE = 1200;

/**
 * Looks at what is about to be tried, before anything is held or asked.
 * @returns who looks at the reply
 * @throws Problem `text_refused`, `moderation_unavailable`
 */
async function judgeTest(
  c: Context<ApiEnv>,
  {
    character,
    messages,
    rating,
  }: Pick<z.output<typeof testChatBody>, 'character' | 'messages'> & { rating: Rating },
): Promise<TextJudge> {
  const texts = textsOfCharacter(character);
  await refuseTexts(c, texts, { adult: rating === 'adult', seen: 'self' });
  const people = texts.filter(({ field }) => field !== 'lorebook').map(({ text }) => text);
  const before = messages.slice(0, -1).map(({ content }) => content);
  const known = [...people, before.join('\n').slice(-SCENE)].join('\n');
  const judge = judgeOf(moderatorOf(c.get('settings')), () => known);
  const said = messages.at(-1)?.content ?? '';
  const verdict = await judge.message(said, rating);
  if (!verdict.ok) throw refusal(verdict.rule, [{ field: 'messages', text: said }]);
  return judge;
}

/** Talking with a character that is not published yet. Nothing that is said is kept. */
export const testChat = new Hono<ApiEnv>().post(
  '/test-chat',
  answers('Have a character answer as it stands in the form; nothing is kept', { 200: 'events' }),
  takesTimeZone,
  requireCreator,
  valid('json', testChatBody),
  async (c) => {
    const { user } = await requireCaller(c);
    const { turn_id: id, character, messages } = c.req.valid('json');
    refuseLargeBook(character.lorebook);
    const rating = ratingOf({ nsfwAllowed: character.nsfw_allowed }, user.spicy_mode);
    if (rating === 'withheld') throw spicyModeOff(c);
    const judge = await judgeTest(c, { character, messages, rating });
    const standing = standingOf(c, user);
    const { models } = c.get('settings');
    const model = chooseModel(models, 'recommended', character.model_type, standing.unlimited);
    if (model === null) throw new Problem('model_unavailable');
    const persona = await defaultPersona(c.get('db'), user.id);
    const prompt = testPrompt({
      character,
      messages,
      persona: persona ?? { name: ownName(c, user), description: '' },
      rating,
      model,
    });
    const wallet = walletOf(c, user.id);
    // No reservation of a conversation has such a sign in it.
    const reservation = `test:${id}`;
    const turn = { id, replyId: newId(Date.now()), model: model.id, at: new Date().toISOString() };
    const result = await beginTestTurn(turn, {
      reserve: async () => wallet.reserve(reservation, null, standing),
      settle: async (outcome) =>
        outcome === 'settle'
          ? wallet.settle(reservation, null, 'test')
          : wallet.release(reservation, null, null, 'test'),
      ask: (signal) =>
        gated(
          streamChat(
            model.endpoint,
            {
              messages: prompt,
              maxTokens: REPLY_TOKENS,
              temperature: REPLY_TEMPERATURE,
              serviceTier: model.serviceTier,
            },
            { signal, timeouts: { ...MODEL_TIMEOUTS, idleMs: model.idleMs } },
          ),
          judge.reply(rating, null),
          { signal },
        ),
    });
    if (!result.ok) throw 'points' in result ? pointsProblem(result) : new Problem(result.code);
    // Should the reader leave, the points are settled all the same.
    c.executionCtx.waitUntil(result.ended);
    return c.body(result.events, 200, EVENT_HEADERS);
  },
);
