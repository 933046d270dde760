import { type Context, Hono } from 'hono';
import type { z } from 'zod';
import type { SessionUser } from '../../../features/account/contract.ts';
import { isExempt } from '../../../features/safety/appeal-exemption-statements.ts';
import { findActiveSessions } from '../../../features/conversation/access/active-sessions-store.ts';
import { countReferral } from '../../../features/conversation/messages/crisis-days-store.ts';
import {
  type Crisis,
  getUtcDay,
  getCrisisHelp,
} from '../../../features/conversation/moderation/crisis-help.ts';
import type { PromptPersona } from '../../../features/conversation/prompt/prompt-sections.ts';
import { DEFAULT_REPLY_STYLE, getTemperature } from '../../../features/reply-style/reply-style.ts';
import { calculateReplyTokens } from '../../../features/conversation/prompt/reply-tokens.ts';
import {
  type Rating,
  getRating,
  getSpicyModeCode,
} from '../../../features/conversation/character/character-state.ts';
import {
  moderateStream,
  withPromptLeakGuard,
  createTextModerator,
  type TextModerator,
} from '../../../features/conversation/moderation/moderate-stream.ts';
import { buildModerationContext } from '../../../features/conversation/moderation/moderation-context.ts';
import { buildPromptLore } from '../../../features/conversation/prompt/conversation-lore.ts';
import { expandMacros } from '../../../features/conversation/macro-names.ts';
import { testChatBody } from '../../../features/conversation/turn/test-chat-contract.ts';
import {
  getTestName,
  findCrisisAmong,
  buildTestPrompt,
} from '../../../features/conversation/turn/test-prompt.ts';
import { getReplySpeakers, trimReply } from '../../../features/conversation/turn/reply-text.ts';
import { askAgainIfTooLong } from '../../../features/conversation/turn/ask-again.ts';
import { beginTestTurn } from '../../../features/conversation/turn/test-turn.ts';
import { chooseModel } from '../../../features/model/choose-model.ts';
import { readContextRatios, rememberContextRatio } from '../../../features/model/context-ratio-gateway.ts';
import { streamCompletion, recordUsage, prefetchBudget } from '../../../features/model/model-gateway.ts';
import { calculateMaxSpend, type Spend, calculateSpend } from '../../../features/model/spend.ts';
import { getStartPersona } from '../../../features/persona/persona-store.ts';
import { createAppealToken, buildRefusalCandidate } from '../../../features/moderation/appeal-token.ts';
import { createSiteModerator } from '../../../features/model/moderator-gateway.ts';
import { createId } from '../../../lib/ids.ts';
import { type ApiEnv, toServiceContext } from '../../middleware/context.ts';
import {
  EVENT_STREAM_HEADERS,
  createPointsProblem,
  getUserRegion,
} from '../../middleware/conversation-access.ts';
import { describeResponses, describeTimeZone } from '../../openapi/openapi-route.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { getOwnName } from '../../middleware/names/own-name.ts';
import { checkLorebookSize } from '../../../services/lorebooks.ts';
import { createTextRefusal, checkTexts, listCharacterTexts } from '../../../services/moderate-input.ts';
import { requireCreator } from '../account/permissions.ts';
import { getEntitlement, getWalletStub } from '../../middleware/wallet.ts';
import { Problem, throwRefused, toProblem } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';
import { log } from '../../../lib/log.ts';

/** Crisis help for a refusal: a user in a crisis sees it even when nothing can be sent. */
const toSafetyFields = (crisis: Crisis | null) => (crisis === null ? {} : { safety: getCrisisHelp(crisis) });

/** Counts a crisis referral in the background; a failure is only logged. */
function recordReferral(c: Context<ApiEnv>, crisis: Crisis | null): void {
  if (crisis === null) return;
  const pendingCount = countReferral(c.get('db'), { day: getUtcDay(Date.now()), kind: crisis.kind });
  c.executionCtx.waitUntil(pendingCount.catch(() => log('referral_lost')));
}

/**
 * Moderates the character and the message before anything is reserved or the model is called.
 * @returns the moderator for the reply, and the crisis that the message shows, if any
 * @throws Problem `text_refused`, `moderation_unavailable`
 */
async function moderateTestChat(
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
): Promise<{ judge: TextModerator; crisis: Crisis | null }> {
  const moderator = createSiteModerator(c.env);
  const texts = listCharacterTexts(character);
  const about = { place: 'character', adult: rating === 'adult', seen: 'self' } as const;
  throwRefused(await checkTexts(toServiceContext(c), user.id, texts, about));
  const people = texts.filter(({ field }) => field !== 'lorebook').map(({ text }) => text);
  const names = { user: persona.name, char: getTestName(character) };
  const lore = () => (character.lorebook == null ? null : buildPromptLore(character.lorebook, names));
  const createTestModerator = (said: typeof messages): TextModerator => {
    const newestFirst = said
      .map(({ role, content }) => ({ versionId: '', role, name: null, content }))
      .toReversed();
    const known = buildModerationContext({
      people: [
        { of: 'character', names: [character.name, names.char], texts: people },
        { of: 'persona', names: [persona.name], texts: [persona.description] },
      ],
      beside: () => [],
      lore,
      history: () => newestFirst,
      fill: (text) => expandMacros(text, names),
    });
    return createTextModerator(
      moderator,
      () => known,
      async (text, rule, evidence) => {
        const grant = await buildRefusalCandidate(
          { userId: user.id, place: 'message', rule, text },
          { beside: evidence },
        );
        return isExempt(c.get('db'), grant);
      },
    );
  };
  const said = messages.at(-1)?.content ?? '';
  const verdict = await createTestModerator(messages.slice(0, -1)).moderateMessage(said, rating);
  const crisis = verdict.crisis === null ? null : { kind: verdict.crisis, ...getUserRegion(c, user) };
  if (!verdict.ok) {
    recordReferral(c, crisis);
    throw toProblem(
      await createTextRefusal(
        toServiceContext(c),
        user.id,
        {
          place: 'message',
          rule: verdict.rule,
          written: [{ field: 'messages', text: said }],
          beside: verdict.beside,
        },
        toSafetyFields(crisis),
      ),
    );
  }
  return { judge: createTestModerator(messages), crisis };
}

/** A test chat with an unpublished character. Nothing is stored. */
export const testChat = new Hono<ApiEnv>().post(
  '/test-chat',
  describeResponses('Stream a test reply of the character in the request; nothing is stored', {
    200: 'events',
  }),
  describeTimeZone,
  requireCreator,
  validateRequest('json', testChatBody),
  async (c) => {
    const { user, sessionPublicId } = await requireCaller(c);
    const { turn_id: id, character, character_id: characterId = '', messages } = c.req.valid('json');
    throwRefused(checkLorebookSize(character.lorebook));
    const rating = getRating({ nsfwAllowed: character.nsfw_allowed }, user.spicy_mode);
    if (rating === 'blocked') throw new Problem(getSpicyModeCode(c.get('settings')));
    const persona = await getStartPersona(c.get('db'), user.id, characterId);
    const who = persona ?? { name: await getOwnName(c, user), description: '' };
    const { judge, crisis } = await moderateTestChat(c, { character, messages, rating, persona: who, user });
    const entitlement = getEntitlement(c, user);
    const { models } = c.get('settings');
    const model = chooseModel(models, 'recommended', character.model_type, entitlement.unlimited);
    if (model === null) throw new Problem('model_unavailable');
    const style = character.recommended_style ?? DEFAULT_REPLY_STYLE;
    const replyTokens = calculateReplyTokens(style.reply_length, model);
    const shows = findCrisisAmong(messages, crisis?.kind ?? null);
    const prompt = buildTestPrompt({
      character,
      messages,
      style,
      persona: who,
      rating,
      crisis: shows,
      model,
      contextRatios: await readContextRatios(c.env, model),
      rememberRatio: (script, ratio) => rememberContextRatio(c.env, model, script, ratio),
    });
    const wallet = getWalletStub(c, user.id);
    // Reservations of conversations never contain a colon.
    const reservation = `test:${id}`;
    const turn = {
      id,
      replyId: createId(Date.now()),
      model: model.id,
      at: new Date().toISOString(),
      help: crisis === null ? null : getCrisisHelp(crisis),
      region: getUserRegion(c, user),
      session: sessionPublicId,
    };
    const names = { user: who.name, char: getTestName(character) };
    const speakers = getReplySpeakers(names, character.point_of_view === 'multiPeople');
    let spend: Spend | null = null;
    let isShortened = false;
    const ask = ({ messages: sent }: Pick<typeof prompt, 'messages'>, signal: AbortSignal) =>
      streamCompletion(
        c.env,
        model,
        {
          messages: sent,
          maxTokens: replyTokens,
          temperature: getTemperature(style.liveliness),
          serviceTier: model.serviceTier,
        },
        {
          signal,
          spent: (tokens) => {
            spend = calculateSpend(model.prices, tokens.promptTokens, tokens.replyTokens);
            c.executionCtx.waitUntil(recordUsage(c.env, tokens));
          },
        },
      );
    prefetchBudget(c.env);
    const result = await beginTestTurn(turn, {
      reserve: async () =>
        wallet.reserve(reservation, null, entitlement, calculateMaxSpend(model, replyTokens)),
      settle: async (outcome) =>
        outcome === 'settle'
          ? wallet.settle(reservation, null, 'test', spend)
          : wallet.release(reservation, null, null, 'test', spend),
      toAppeal: (rule, text) =>
        createAppealToken(
          c.get('settings').authSecret,
          { userId: user.id, place: 'reply', rule, text },
          Date.now(),
        ),
      ask: (signal) => {
        const written = askAgainIfTooLong(
          prompt,
          (asked) => ask(asked, signal),
          () => (isShortened = true),
        );
        const createJudge = () =>
          withPromptLeakGuard(judge.moderateReply(rating, null, shows !== null), names);
        return moderateStream(trimReply(written, speakers), createJudge(), { thinking: createJudge, signal });
      },
      isShortened: () => isShortened,
      findActive: (sessions) => findActiveSessions(c.get('db'), sessions, Date.now()),
    });
    // A repeated turn was counted before.
    if (result.ok || 'points' in result) recordReferral(c, crisis);
    if (!result.ok) {
      const safetyFields = toSafetyFields(crisis);
      throw 'points' in result
        ? createPointsProblem(result, safetyFields)
        : new Problem(result.code, safetyFields);
    }
    // Settle the points even when the client disconnects.
    c.executionCtx.waitUntil(result.ended);
    return c.body(result.events, 200, EVENT_STREAM_HEADERS);
  },
);
