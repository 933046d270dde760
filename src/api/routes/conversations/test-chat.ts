import { type Context, Hono } from 'hono';
import type { z } from 'zod';
import type { SessionUser } from '../../../features/account/contract.ts';
import { isLetBy } from '../../../features/safety/appeal-exemption-statements.ts';
import { countReferral } from '../../../features/conversation/messages/crisis-days-store.ts';
import { type Crisis, dayOf, helpIn } from '../../../features/conversation/moderation/crisis-help.ts';
import type { PromptPersona } from '../../../features/conversation/prompt/prompt-sections.ts';
import { REPLY_TEMPERATURE, REPLY_TOKENS } from '../../../features/conversation/prompt/build-prompt.ts';
import { type Rating, ratingOf } from '../../../features/conversation/character/rating.ts';
import { gated, keepingPrompt } from '../../../features/conversation/moderation/moderate-stream.ts';
import { knownStory } from '../../../features/conversation/moderation/moderation-context.ts';
import { promptLore } from '../../../features/conversation/prompt/conversation-lore.ts';
import { fillNames } from '../../../features/conversation/conversation-names.ts';
import { testChatBody } from '../../../features/conversation/turn/test-chat-contract.ts';
import { calledIn, crisisAmong, testPrompt } from '../../../features/conversation/turn/test-prompt.ts';
import { beginTestTurn } from '../../../features/conversation/turn/test-turn.ts';
import { judgeOf, type TextJudge } from '../../../features/conversation/moderation/text-moderator.ts';
import { chooseModel } from '../../../features/model/choice.ts';
import { askModel, countBeside, prepareToAsk } from '../../../features/model/model-gateway.ts';
import { mostOf, type Spend, spendOf } from '../../../features/model/spend.ts';
import { defaultPersona } from '../../../features/persona/persona-store.ts';
import { appealToken, grantOf } from '../../../features/moderation/appeal-token.ts';
import { moderatorOf } from '../../../features/model/moderator-gateway.ts';
import { newId } from '../../../lib/ids.ts';
import { type ApiEnv, serviceContext } from '../../middleware/context.ts';
import { EVENT_HEADERS, pointsProblem, whereaboutsOf } from '../../middleware/conversation-access.ts';
import { answers, takesTimeZone } from '../../openapi/openapi-route.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { ownName } from '../../middleware/language.ts';
import { refuseLargeBook } from '../../../services/lorebooks.ts';
import { refusal, refuseTexts, textsOfCharacter } from '../../../services/moderate-input.ts';
import { requireCreator } from '../account/permissions.ts';
import { standingOf, walletOf } from '../../middleware/wallet.ts';
import { Problem, throwRefused, toProblem } from '../../middleware/problems.ts';
import { valid } from '../../middleware/validate.ts';
import { log } from '../../../lib/log.ts';
import { spicyModeOff } from '../../middleware/spicy-mode.ts';

/** Where help is, beside a refusal: whoever needs it is told, also where nothing can be sent. */
const helpBeside = (crisis: Crisis | null) => (crisis === null ? {} : { safety: helpIn(crisis) });

/** Counts that somebody is shown where help is. Nobody waits for it, and nothing fails with it. */
function countHelp(c: Context<ApiEnv>, crisis: Crisis | null): void {
  if (crisis === null) return;
  const counting = countReferral(c.get('db'), { day: dayOf(Date.now()), kind: crisis.kind });
  c.executionCtx.waitUntil(counting.catch(() => log('referral_lost')));
}

/**
 * Looks at what is about to be tried, before anything is held or asked.
 * @returns who looks at the reply, and whether the message shows that its person may need help
 * @throws Problem `text_refused`, `moderation_unavailable`
 */
async function judgeTest(
  c: Context<ApiEnv>,
  {
    character,
    messages,
    rating,
    persona,
    user,
  }: Pick<z.output<typeof testChatBody>, 'character' | 'messages'> & {
    rating: Rating;
    persona: PromptPersona;
    user: SessionUser;
  },
): Promise<{ judge: TextJudge; crisis: Crisis | null }> {
  const moderator = moderatorOf(c.env);
  const texts = textsOfCharacter(character);
  const about = { place: 'character', adult: rating === 'adult', seen: 'self' } as const;
  throwRefused(await refuseTexts(serviceContext(c), user.id, texts, about));
  const people = texts.filter(({ field }) => field !== 'lorebook').map(({ text }) => text);
  const names = { user: persona.name, char: calledIn(character) };
  const lore = () => (character.lorebook == null ? null : promptLore(character.lorebook, names));
  const judgeAfter = (said: typeof messages): TextJudge => {
    const newestFirst = said
      .map(({ role, content }) => ({ versionId: '', role, name: null, content }))
      .toReversed();
    const known = knownStory({
      people: [
        { of: 'character', names: [character.name, names.char], texts: people },
        { of: 'persona', names: [persona.name], texts: [persona.description] },
      ],
      beside: () => [],
      lore,
      history: () => newestFirst,
      fill: (text) => fillNames(text, names),
    });
    return judgeOf(
      moderator,
      () => known,
      async (text, rule, beside) => {
        const grant = await grantOf({ userId: user.id, place: 'message', rule, text }, { beside });
        return isLetBy(c.get('db'), grant);
      },
    );
  };
  const said = messages.at(-1)?.content ?? '';
  const verdict = await judgeAfter(messages.slice(0, -1)).message(said, rating);
  const crisis = verdict.crisis === null ? null : { kind: verdict.crisis, ...whereaboutsOf(c, user) };
  if (!verdict.ok) {
    countHelp(c, crisis);
    throw toProblem(
      await refusal(
        serviceContext(c),
        user.id,
        {
          place: 'message',
          rule: verdict.rule,
          written: [{ field: 'messages', text: said }],
          beside: verdict.beside,
        },
        helpBeside(crisis),
      ),
    );
  }
  return { judge: judgeAfter(messages), crisis };
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
    throwRefused(refuseLargeBook(character.lorebook));
    const rating = ratingOf({ nsfwAllowed: character.nsfw_allowed }, user.spicy_mode);
    if (rating === 'withheld') throw spicyModeOff(c);
    const persona = await defaultPersona(c.get('db'), user.id);
    const who = persona ?? { name: ownName(c, user), description: '' };
    const { judge, crisis } = await judgeTest(c, { character, messages, rating, persona: who, user });
    const standing = standingOf(c, user);
    const { models } = c.get('settings');
    const model = chooseModel(models, 'recommended', character.model_type, standing.unlimited);
    if (model === null) throw new Problem('model_unavailable');
    const shows = crisisAmong(messages, crisis?.kind ?? null);
    const prompt = testPrompt({
      character,
      messages,
      persona: who,
      rating,
      crisis: shows,
      model,
    });
    const wallet = walletOf(c, user.id);
    // No reservation of a conversation has such a sign in it.
    const reservation = `test:${id}`;
    const turn = {
      id,
      replyId: newId(Date.now()),
      model: model.id,
      at: new Date().toISOString(),
      help: crisis === null ? null : helpIn(crisis),
      whereabouts: whereaboutsOf(c, user),
    };
    let spend: Spend | null = null;
    prepareToAsk(c.env);
    const result = await beginTestTurn(turn, {
      reserve: async () => wallet.reserve(reservation, null, standing, mostOf(model, REPLY_TOKENS)),
      settle: async (outcome) =>
        outcome === 'settle'
          ? wallet.settle(reservation, null, 'test', spend)
          : wallet.release(reservation, null, null, 'test', spend),
      toAppeal: (rule, text) =>
        appealToken(
          c.get('settings').authSecret,
          { userId: user.id, place: 'reply', rule, text },
          Date.now(),
        ),
      ask: (signal) =>
        gated(
          askModel(
            c.env,
            model,
            {
              messages: prompt,
              maxTokens: REPLY_TOKENS,
              temperature: REPLY_TEMPERATURE,
              serviceTier: model.serviceTier,
            },
            {
              signal,
              spent: (tokens) => {
                spend = spendOf(model.prices, tokens.promptTokens, tokens.replyTokens);
                c.executionCtx.waitUntil(countBeside(c.env, tokens));
              },
            },
          ),
          keepingPrompt(judge.reply(rating, null, shows !== null), {
            user: who.name,
            char: calledIn(character),
          }),
          { signal },
        ),
    });
    // The same turn again is counted already.
    if (result.ok || 'points' in result) countHelp(c, crisis);
    if (!result.ok) {
      const beside = helpBeside(crisis);
      throw 'points' in result ? pointsProblem(result, beside) : new Problem(result.code, beside);
    }
    // Should the reader leave, the points are settled all the same.
    c.executionCtx.waitUntil(result.ended);
    return c.body(result.events, 200, EVENT_HEADERS);
  },
);
