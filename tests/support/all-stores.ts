import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import {
  commissions,
  paymentEvents,
  payments,
  payouts,
  refunds,
  subscriptions,
} from '../../src/db/schema/billing.ts';
import {
  cards,
  characterCreations,
  characterExtras,
  characterVersions,
  favourites,
  likes,
  follows,
  hiddenItems,
} from '../../src/db/schema/character.ts';
import {
  appeals,
  caseSteps,
  moderationActions,
  reports,
  staffAccessLog,
} from '../../src/db/schema/safety.ts';
import {
  judgeScores,
  competitionPrizes,
  competitionStandings,
  competitionWithdrawals,
  seasons,
} from '../../src/db/schema/competition.ts';
import { openDatabase } from '../../src/db/open.ts';
import { feedback, googleAccounts, pictures, users } from '../../src/db/schema/core.ts';
import { insertMailStatement } from '../../src/features/mail/mail-store.ts';
import { createId } from '../../src/lib/ids.ts';
import { insertPasskey } from './passkey-actions.ts';
import { getMessageId, startConversationClient } from './conversation-client.ts';
import { addCharacter, requestLoginCode, getPoints, createAccount } from './factories.ts';

const db = openDatabase(env.DB);

/** Words unique to the run; each begins differently, so that a search index cannot hide one as a prefix of another. */
export const createUniqueWord = (name: string): string =>
  `${createId(Date.now()).slice(-10).replaceAll(/\d/g, 'q')}${name}`;

/** Creates a user with data in every store, and lists every word of that data. */
export async function createUserInAllStores() {
  const said = {
    nickname: createUniqueWord('nick'),
    agent: createUniqueWord('agent'),
    passkey: createUniqueWord('passkey'),
    persona: createUniqueWord('persona'),
    personaText: createUniqueWord('self'),
    style: createUniqueWord('style'),
    styleNote: createUniqueWord('stylenote'),
    message: createUniqueWord('message'),
    edited: createUniqueWord('edited'),
    version: createUniqueWord('version'),
    noteForReply: createUniqueWord('note'),
    trashed: createUniqueWord('trashed'),
    binned: createUniqueWord('binned'),
    title: createUniqueWord('title'),
    memory: createUniqueWord('memory'),
    feedback: createUniqueWord('feedback'),
    subject: createUniqueWord('google'),
    subscription: createUniqueWord('subscription'),
    payment: createUniqueWord('payment'),
    refund: createUniqueWord('refund'),
    payout: createUniqueWord('payout'),
    loneName: createUniqueWord('lone'),
    loneTraits: createUniqueWord('lonetraits'),
    oneliner: createUniqueWord('oneliner'),
    traits: createUniqueWord('traits'),
    summary: createUniqueWord('summary'),
    about: createUniqueWord('about'),
    suggestion: createUniqueWord('suggestion'),
    greeting: createUniqueWord('greeting'),
    notes: createUniqueWord('notes'),
    lore: createUniqueWord('lore'),
    earlier: createUniqueWord('earlier'),
    card: createUniqueWord('card'),
    report: createUniqueWord('report'),
    reported: createUniqueWord('reported'),
    excerpt: createUniqueWord('excerpt'),
    measure: createUniqueWord('measure'),
    appeal: createUniqueWord('appeal'),
    refused: createUniqueWord('refused'),
    staffNote: createUniqueWord('note'),
    picture: createUniqueWord('picture'),
    won: createUniqueWord('won'),
  };
  const me = await createAccount();
  await insertPasskey(me.id, { name: said.passkey });
  await env.DB.prepare('update sessions set user_agent = ? where user_id = ?').bind(said.agent, me.id).run();
  await me.ask('/api/account', { method: 'PATCH', json: { nickname: said.nickname.slice(0, 20) } });
  await me.ask('/api/personas', {
    json: { name: said.persona, description: said.personaText },
    status: 201,
  });
  await me.ask('/api/reply-styles', {
    json: { name: said.style, author_note: said.styleNote },
    status: 201,
  });

  // A picture, an accepted invite with its commission, a membership, Google, mails, feedback and a login code.
  const key = `${createId(Date.now())}portrait.webp`;
  await env.MEDIA.put(key, said.picture);
  await db.insert(pictures).values({ key, ownerId: me.id, bytes: 11, createdAt: Date.now() });
  await db.update(users).set({ avatarKey: key }).where(eq(users.id, me.id));
  const { code } = await me.ask<{ code: string }>('/api/invites', { method: 'POST' });
  const friend = await createAccount();
  await friend.ask('/api/onboarding', { json: { invite_code: code } });
  await db.insert(commissions).values({
    id: createId(Date.now()),
    inviterId: me.id,
    inviteeId: friend.id,
    paymentId: createId(Date.now()),
    amountCents: 105,
    currency: 'USD',
    status: 'due',
    createdAt: Date.now(),
  });
  // A membership that ended long ago and must not be mentioned.
  const long = Date.now() - 90 * 86_400_000;
  await db.insert(subscriptions).values({
    id: said.subscription,
    userId: me.id,
    plan: 'storyteller',
    status: 'expired',
    periodEnd: long,
    reconciledAt: long,
    createdAt: long,
    updatedAt: long,
  });
  const money = { amountCents: 105, currency: 'USD', createdAt: long };
  await db.insert(payments).values({
    ...money,
    id: said.payment,
    subscriptionId: said.subscription,
    userId: me.id,
    status: 'completed',
    paidAt: long,
  });
  await db
    .insert(refunds)
    .values({ id: said.refund, paymentId: said.payment, amountCents: 5, createdAt: long });
  await db.insert(payouts).values({ ...money, id: createId(Date.now()), userId: me.id, note: said.payout });
  await db.insert(paymentEvents).values({
    id: `WH-${said.payment}`,
    kind: 'PAYMENT.SALE.COMPLETED',
    subscriptionId: said.subscription,
    receivedAt: long,
    handledAt: long,
    retryAt: long,
  });
  await db.insert(googleAccounts).values({ subject: said.subject, userId: me.id, createdAt: Date.now() });
  const own = { createdAt: Date.now(), language: 'en', message: said.feedback };
  await db.insert(feedback).values({ ...own, id: createId(Date.now()), userId: me.id, email: me.email });
  await db.insert(feedback).values({ ...own, id: createId(Date.now()), email: me.email.toUpperCase() });
  await requestLoginCode(me.email);
  await insertMailStatement(db, {
    userId: me.id,
    address: me.email,
    language: 'en',
    kind: 'first_commission',
    variables: { site: 'https://loreloom.test', amount_cents: 105 },
    dedupeKey: 'a payment',
    now: Date.now() + 3_600_000,
  });

  // Two characters: a private one and one that another user chats with.
  const lone = await addCharacter({
    creatorId: me.id,
    name: said.loneName,
    characterTraits: said.loneTraits,
    visibility: 'private',
    tags: ['rpg'],
  });
  const shared = await addCharacter({
    creatorId: me.id,
    name: 'Mira of the lamp',
    oneliner: said.oneliner,
    characterTraits: said.traits,
    summary: said.summary,
    about: said.about,
    suggestedReplies: [said.suggestion],
    avatarKey: key,
    featured: true,
    tags: ['fantasy'],
  });

  // What belongs to characters: a card, its extras, an earlier version, reports, likes and hidden creators.
  const now = Date.now();
  const cardKey = `cards/${createId(now)}card`;
  await env.MEDIA.put(cardKey, said.card);
  await db.insert(cards).values({
    id: createId(now),
    ownerId: me.id,
    characterId: shared,
    objectKey: cardKey,
    bytes: 11,
    draft: JSON.stringify({ name: said.card }),
    createdAt: now,
  });
  for (const characterId of [lone, shared]) {
    await db.insert(characterExtras).values({
      characterId,
      // The other user's conversation keeps the character's name and texts.
      nickname: characterId === lone ? said.notes : 'Mira',
      alternateGreetings: [said.greeting],
      definition: JSON.stringify({ creator_notes: { text: said.notes, shared: false } }),
      lorebook: JSON.stringify({ entries: [{ keys: [said.lore] }] }),
    });
    const definition = JSON.stringify({ name: said.earlier });
    await db.insert(characterVersions).values({ characterId, version: 1, definition, createdAt: now });
  }
  const theirs = await addCharacter({ creatorId: friend.id });
  const told = { reason: 'other', status: 'open', createdAt: now } as const;
  const ofCharacter = (id: string) => ({ subject: 'character', subjectId: id, characterId: id }) as const;
  const [mineId, theirsId, ofMeId] = [createId(now), createId(now), createId(now)] as const;
  await db.insert(reports).values([
    {
      ...told,
      ...ofCharacter(theirs),
      id: mineId,
      ownerId: friend.id,
      reporterId: me.id,
      details: said.report,
      excerpt: said.excerpt,
    },
    {
      ...told,
      ...ofCharacter(shared),
      id: theirsId,
      ownerId: me.id,
      reporterId: friend.id,
      details: said.reported,
    },
    {
      ...told,
      id: ofMeId,
      subject: 'creator',
      subjectId: me.id,
      ownerId: me.id,
      reporterId: friend.id,
      details: said.reported,
    },
  ]);
  // Staff actions on all of that.
  const adminId = createId(now);
  const [measureId, appealId] = [createId(now), createId(now)] as const;
  await db.insert(moderationActions).values({
    id: measureId,
    kind: 'character_hidden',
    subjectId: shared,
    subjectName: 'Mira of the lamp',
    ownerId: me.id,
    reason: said.measure,
    adminId,
    createdAt: now,
    revokedAt: now,
  });
  await db.insert(appeals).values({
    id: appealId,
    userId: me.id,
    place: 'message',
    rule: 'hate',
    refusedText: said.refused,
    message: said.appeal,
    createdAt: now,
  });
  const step = { adminId, step: 'open', note: said.staffNote, createdAt: now };
  await db.insert(caseSteps).values(
    [mineId, theirsId, ofMeId, measureId, appealId].map((caseId) => ({
      ...step,
      id: createId(now),
      caseId,
    })),
  );
  await db.insert(staffAccessLog).values({
    id: createId(now),
    ownerId: me.id,
    adminId,
    resourceType: 'character',
    resourceId: lone,
    createdAt: now,
  });
  // A season of the competition that is over.
  const season = { seasonId: createId(now) };
  await db.insert(seasons).values({
    ...{ id: season.seasonId, number: 100_000 + Math.floor(Math.random() * 1e9), status: 'decided' },
    ...{ beginsAt: now - 3, endsAt: now - 2, winnersAt: now - 1 },
  });
  const ofShared = { ...season, characterId: shared };
  await db.insert(competitionStandings).values({
    ...{ ...ofShared, prize: 'gift_card' },
    ...{ rank: 1, people: 3, popularity: 100, creativity: 0, score: 80 },
  });
  await db.insert(judgeScores).values({ ...ofShared, judgeId: adminId, score: 0, createdAt: now });
  await db.insert(competitionWithdrawals).values({ ...season, characterId: lone, createdAt: now });
  await db
    .insert(competitionPrizes)
    .values({ ...season, prize: 'gift_card', place: 1, userId: me.id, characterName: said.won });
  await db.insert(favourites).values({ userId: me.id, characterId: theirs, createdAt: now });
  await db.insert(likes).values({ userId: me.id, characterId: theirs, createdAt: now });
  await db.insert(follows).values([
    { userId: me.id, creatorId: friend.id, createdAt: now },
    { userId: friend.id, creatorId: me.id, createdAt: now },
  ]);
  await db.insert(hiddenItems).values([
    { userId: me.id, kind: 'tag', target: 'rpg', createdAt: now },
    { userId: friend.id, kind: 'creator', target: me.id, createdAt: now },
  ]);
  await db.insert(characterCreations).values({
    ownerId: me.id,
    key: 'a-key-of-the-form',
    characterId: lone,
    bodyHash: 'hash',
    createdAt: now,
  });

  // Conversations with every kind of content.
  const chat = await startConversationClient(me, lone);
  await chat.send(`Hello ${said.message}`);
  await chat.regenerate(getMessageId(await chat.messages(), -1), { note: `Shorter ${said.noteForReply}` });
  await chat.send('Once more.');
  const stories = await chat.messages();
  await chat.edit(getMessageId(stories, 1), `Hello ${said.edited}`);
  await chat.edit(getMessageId(stories, 2), `A reply ${said.version}`);
  expect((await chat.pin(getMessageId(stories, 2))).status).toBeLessThan(300);
  await chat.ask('/memory', { method: 'PUT', json: { summary: said.memory } });
  await chat.ask('', { method: 'PATCH', json: { title: said.title } });
  await chat.fork(getMessageId(await chat.messages(), 2));
  await chat.send(`And ${said.trashed}`);
  await chat.discard(getMessageId(await chat.messages(), -2));
  const binned = await startConversationClient(me, shared);
  await binned.send(`Hello ${said.binned}`);
  await binned.call('', { method: 'DELETE' });
  await getPoints(me);
  await vi.waitFor(async () => {
    const found = await me.ask<{ items: unknown[] }>(`/api/conversations/search?q=${said.edited}`);
    expect(found.items.length).toBeGreaterThan(0);
  });

  const words = [
    ...Object.values(said).map((text) => text.slice(0, 20)),
    me.id,
    me.id.slice(-6),
    me.email,
    key,
    cardKey,
    code,
  ];
  return { me, friend, lone, shared, key, said, words };
}
