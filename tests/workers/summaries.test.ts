import { env } from 'cloudflare:workers';
import { describe, expect, inject, test } from 'vitest';
import { writeSummaries } from '../../src/services/character-summaries.ts';
import { SUMMARY } from '../../src/features/character/limits.ts';
import { openDatabase } from '../../src/db/open.ts';
import { updateCharacter } from '../../src/features/character/character-change-store.ts';
import type { CharacterDetail, CharacterList, OwnCharacter } from '../../src/features/character/contract.ts';
import { saveSummary } from '../../src/features/character/discovery/summary-store.ts';
import { createId } from '../../src/lib/ids.ts';
import { startConversationClient } from '../support/conversation-client.ts';
import { createOwnCharacter, editCharacter } from '../support/character-actions.ts';
import { ConfiguredVisitor } from '../support/configured-visitor.ts';
import { deleteAccount } from '../support/account-deletion.ts';
import { signInGuest, createAccount, Visitor } from '../support/factories.ts';
import { buildReplyScript } from '../support/reply-script.ts';
import { createScene } from '../support/scripted-model.ts';

const db = openDatabase(env.DB);
/** As the scripted model writes it where it is asked to. */
const INTRODUCTION = 'Somebody who waits where the road ends, and is glad of company.';
const WRITES = 'Patient. [[introduction:introduction]]';

const told = (id: string) =>
  env.DB.prepare(
    'select summary, summary_generated as generated, summary_try_at as tryAt, summary_tries as tries from characters where id = ?',
  )
    .bind(id)
    .first<{ summary: string | null; generated: number; tryAt: number | null; tries: number }>();
const written = (id: string) => expect.poll(() => told(id), { timeout: 10_000 });
const seen = (id: string) => new Visitor().ask<CharacterDetail>(`/api/characters/${id}`);
const settled = { summary: INTRODUCTION, generated: 1, tryAt: null, tries: 0 };

describe('A character’s summary', () => {
  test('is written by the model after I publish, said to be its work, and found by its words', async () => {
    const name = `Orla${createId(Date.now())}`;
    const { id, summary } = await createOwnCharacter(await createAccount(), {
      name,
      character_traits: WRITES,
    });
    expect(summary).toBeNull();
    await written(id).toEqual(settled);
    expect(await seen(id)).toMatchObject({ summary: INTRODUCTION, summary_generated: true });
    const found = await new Visitor().ask<CharacterList>(`/api/characters?q=${name} glad company`);
    expect(found.items.map((item) => item.id)).toEqual([id]);
  });

  test('that the model writes is not published where nobody might publish it', async () => {
    const writes = (text: string) => buildReplyScript(text, 200).replace('scenario:', 'introduction:');
    const sexual = 'Lena is 14 years old and waits where the road ends. They have sex all night long.';
    const { id } = await createOwnCharacter(await createAccount(), {
      character_traits: `Kind. ${writes(sexual)}`,
    });
    await written(id).toMatchObject({ summary: null, tries: 1, tryAt: expect.any(Number) });
    // Beside what its maker wrote of it, an act is enough.
    const young = {
      oneliner: 'Age: 14',
      character_traits: `Kind. ${writes('Lena waits where the road ends. They have sex all night long.')}`,
    };
    const other = await createOwnCharacter(await createAccount(), young);
    await written(other.id).toMatchObject({ summary: null, tries: 1 });
  });

  test('is written anew when what it tells of changes, and only then', async () => {
    const me = await createAccount();
    const { id } = await createOwnCharacter(me, { character_traits: WRITES });
    await written(id).toEqual(settled);
    await editCharacter(me, id, { tags: ['rpg'], suggested_replies: ['Who are you then?'] });
    expect(await told(id)).toEqual(settled);
    await editCharacter(me, id, { character_traits: 'Impatient. [[introduction:json]]' });
    await written(id).toMatchObject({ summary: expect.stringMatching(/^w0/), tries: 0, tryAt: null });
  });

  test('goes as soon as its texts are others, for it may tell what I took out; its name is still found', async () => {
    const me = await createAccount();
    const name = `Orla${createId(Date.now())}`;
    const { id } = await createOwnCharacter(me, { name, character_traits: WRITES });
    await written(id).toEqual(settled);
    await editCharacter(me, id, { character_traits: 'Quiet. [[introduction:no-text]]' });
    expect(await seen(id)).toMatchObject({ summary: null, summary_generated: false });
    const found = async (words: string) =>
      (await new Visitor().ask<CharacterList>(`/api/characters?q=${words}`)).items.map((item) => item.id);
    expect(await found(name)).toEqual([id]);
    expect(await found(`${name} glad company`)).toEqual([]);
  });

  test('nobody is asked to write of a private character, until it is shown', async () => {
    const me = await createAccount();
    const { id } = await createOwnCharacter(me, { character_traits: WRITES, visibility: 'private' });
    await writeSummaries(env, db, { now: Date.now(), only: id });
    const none = { summary: null, generated: 0, tryAt: null, tries: 0 };
    expect(await told(id)).toEqual(none);
    await editCharacter(me, id, { visibility: 'unlisted' });
    await written(id).toEqual(settled);
    // What was told of it before is told no more.
    await editCharacter(me, id, { visibility: 'private', oneliner: 'Nobody knows' });
    expect(await told(id)).toEqual(none);
  });

  test('nor of one that is made private in the moment in which it is changed elsewhere', async () => {
    const me = await createAccount();
    const { id } = await createOwnCharacter(me, { character_traits: WRITES });
    await written(id).toEqual(settled);
    const now = Date.now();
    const change = (fields: object) =>
      updateCharacter(db, { id, creatorId: me.id, change: fields, spicy: false, now });
    await Promise.all([change({ visibility: 'private' }), change({ oneliner: 'Nobody knows' })]);
    expect(await told(id)).toMatchObject({ tryAt: null });
  });

  test('that does not come is tried again later, then given up, and the page does without', async () => {
    const { id } = await createOwnCharacter(await createAccount(), {
      character_traits: 'Quiet. [[introduction:no-text]]',
    });
    await written(id).toMatchObject({ summary: null, tries: 1 });
    let tries = 1;
    for (const pause of SUMMARY.retryDelaysMs) {
      const { tryAt } = (await told(id)) as { tryAt: number };
      expect(tryAt).toBeGreaterThan(Date.now());
      await writeSummaries(env, db, { now: tryAt - 1, only: id });
      expect(await told(id)).toMatchObject({ tries });
      await writeSummaries(env, db, { now: tryAt, only: id });
      tries += 1;
      if (tries <= SUMMARY.retryDelaysMs.length) expect(await told(id)).toMatchObject({ tries });
      expect(pause).toBeGreaterThan(0);
    }
    expect(await told(id)).toEqual({ summary: null, generated: 0, tryAt: null, tries: 0 });
    expect((await seen(id)).summary).toBeNull();
  });

  test('of texts that were changed while it was written is not kept', async () => {
    const me = await createAccount();
    const late = createScene('gate n=5');
    const traits = `Slow. ${late.marker.replace('scenario', 'introduction')}`;
    const { id } = await createOwnCharacter(me, { character_traits: traits });
    await late.reached();
    await editCharacter(me, id, { character_traits: WRITES });
    await written(id).toEqual(settled);
    await late.open();
    await late.ended();
    await expect.poll(() => told(id)).toEqual(settled);
  });

  test('that comes when its character became private meanwhile, or its maker has gone, is not kept', async () => {
    const waiting = async () => {
      const me = await createAccount();
      const { id } = await createOwnCharacter(me, { character_traits: 'Quiet. [[introduction:no-text]]' });
      await written(id).toMatchObject({ tries: 1, tryAt: expect.any(Number) });
      return {
        me,
        id,
        comes: () => saveSummary(db, { id, version: 1, summary: INTRODUCTION, now: Date.now() }),
      };
    };
    const [hidden, left, stays] = [await waiting(), await waiting(), await waiting()];
    await editCharacter(hidden.me, hidden.id, { visibility: 'private' });
    // Somebody's story with it keeps its name.
    await startConversationClient(await signInGuest(), left.id);
    await deleteAccount(left.me);
    for (const { id, comes } of [hidden, left]) {
      expect(await comes()).toBe(false);
      expect(await told(id)).toMatchObject({ summary: null, generated: 0 });
    }
    expect(await stays.comes()).toBe(true);
  });

  test('is written once, however many ask for it at the same time', async () => {
    const { id } = await createOwnCharacter(await createAccount(), {
      character_traits: 'Quiet. [[introduction:no-text]]',
    });
    await written(id).toMatchObject({ tries: 1 });
    const { tryAt: now } = (await told(id)) as { tryAt: number };
    await Promise.all(Array.from({ length: 4 }, () => writeSummaries(env, db, { now, only: id })));
    expect(await told(id)).toMatchObject({ tries: 2 });
  });

  test('in the trash none is written', async () => {
    const me = await createAccount();
    const { id } = await createOwnCharacter(me, { character_traits: 'Quiet. [[introduction:no-text]]' });
    await written(id).toMatchObject({ tries: 1 });
    const { tryAt: now } = (await told(id)) as { tryAt: number };
    expect((await me.call(`/api/characters/${id}`, { method: 'DELETE' })).status).toBe(204);
    await writeSummaries(env, db, { now, only: id });
    expect(await told(id)).toMatchObject({ tries: 1 });
    await me.ask<OwnCharacter>(`/api/characters/${id}/restore`, { method: 'POST' });
    await writeSummaries(env, db, { now, only: id });
    expect(await told(id)).toMatchObject({ tries: 2 });
  });
});

describe('A summary at a site with a moderation model', () => {
  const at = (url: string) => ({ ...env, MODERATION_BASE_URL: url }) as unknown as Env;
  const answering = () => inject('moderationUrl');
  /** A character that is everybody's by now, and whose summary is still to be written. */
  async function waiting(traits: string): Promise<string> {
    const { id } = await createOwnCharacter(await createAccount(), {
      character_traits: traits,
      visibility: 'private',
    });
    await env.DB.prepare("update characters set visibility = 'public', summary_try_at = 1 where id = ?")
      .bind(id)
      .run();
    return id;
  }
  const again = (id: string, tries: number) =>
    env.DB.prepare('update characters set summary_try_at = 1, summary_tries = ? where id = ?')
      .bind(tries, id)
      .run();

  test('is not published where the model finds what may not be', async () => {
    const writes = buildReplyScript('Lena waits where the road ends. [[finds:hate]] She is kind.', 200);
    const id = await waiting(`Kind. ${writes.replace('scenario:', 'introduction:')}`);
    await writeSummaries(at(answering()), db, { now: Date.now(), only: id });
    expect(await told(id)).toMatchObject({ summary: null, tries: 1, tryAt: expect.any(Number) });
  });

  test('waits while the model does not answer, however often, and is published once it does', async () => {
    const id = await waiting(WRITES);
    const silent = at(env.MODEL_DEEPSEEK_BASE_URL as string);
    await writeSummaries(silent, db, { now: Date.now(), only: id });
    expect(await told(id)).toMatchObject({ summary: null, tryAt: expect.any(Number) });
    await again(id, SUMMARY.retryDelaysMs.length);
    await writeSummaries(silent, db, { now: Date.now(), only: id });
    expect(await told(id)).toMatchObject({ summary: null, tryAt: expect.any(Number) });
    await again(id, SUMMARY.retryDelaysMs.length);
    await writeSummaries(at(answering()), db, { now: Date.now(), only: id });
    expect(await told(id)).toEqual(settled);
  });

  test('is looked at when I show a character that was private, with all that it tells', async () => {
    const me = await createAccount();
    const { id } = await createOwnCharacter(me, { character_traits: WRITES, visibility: 'private' });
    await env.DB.prepare('update characters set summary = ?, summary_generated = 1 where id = ?')
      .bind('Somebody who waits. [[finds:hate]]', id)
      .run();
    const moderated = new ConfiguredVisitor({ MODERATION_BASE_URL: answering() }, me);
    const show = (json: object) => moderated.call(`/api/characters/${id}`, { method: 'PATCH', json });
    const refused = await show({ visibility: 'public' });
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { code: 'text_refused', rule: 'hate', fields: { summary: [expect.any(String)] } },
    ]);
    // With other texts it goes, and another one is written.
    expect((await show({ visibility: 'public', oneliner: 'Glad of company' })).status).toBe(200);
  });
});
