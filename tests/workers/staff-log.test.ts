import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { OwnModerationActionList } from '../../src/features/moderation/moderation-action-contract.ts';
import type { StaffViewList } from '../../src/features/moderation/staff-contract.ts';
import { startConversationClient } from '../support/conversation-client.ts';
import { uploadTestPicture, createOwnCharacter } from '../support/character-actions.ts';
import { buildOperationPath, listOperations } from '../support/openapi-operations.ts';
import { createUniqueWord } from '../support/all-stores.ts';
import { getAmountDue, createInvitedUser } from '../support/referrals.ts';
import { createAccount, Visitor } from '../support/factories.ts';
import { createMember, deliverEvents } from '../support/memberships.ts';
import { buildValidBody, formatOperation } from '../support/fuzz-bodies.ts';
import { pay } from '../support/paypal.ts';
import { createUniquePicture } from '../support/pictures.ts';
import { applyModerationAction, reportCharacter, createStaffUser } from '../support/staff.ts';

const views = async (me: Visitor) => (await me.ask<StaffViewList>('/api/me/staff-views?limit=100')).items;

/** Somebody of whom there is something that is not public, in everything that staff can open. */
async function world() {
  const said = {
    name: createUniqueWord('name'),
    traits: createUniqueWord('traits'),
    message: createUniqueWord('said'),
    appeal: createUniqueWord('appeal'),
    details: createUniqueWord('details'),
    greeting: createUniqueWord('greeting'),
    note: createUniqueWord('note'),
    lore: createUniqueWord('lore'),
  };
  const [operator, maker, reporter] = [await createStaffUser(), await createAccount(), await createAccount()];
  const key = await uploadTestPicture(maker, createUniquePicture(77));
  const { id: character } = await createOwnCharacter(maker, {
    avatar_id: key,
    name: said.name,
    character_traits: said.traits,
    alternate_greetings: [said.greeting],
    creator_notes: { en: said.note },
    lorebook: { entries: [{ keys: ['rain'], content: said.lore, enabled: true }] },
  });
  const report = await reportCharacter(reporter, character, { reason: 'other', details: said.details });
  const chat = await startConversationClient(reporter, character);
  await chat.send('Hello.');
  const reply = (await chat.messages()).at(-1);
  await chat.edit(reply?.id as string, said.message);
  const { id: messageReport } = await chat.ask<{ id: string }>(`/messages/${reply?.id}/reports`, {
    json: { reason: 'illegal' },
    status: 201,
  });
  // Since it was reported, it is nobody else's to see.
  await maker.call(`/api/characters/${character}`, { method: 'PATCH', json: { visibility: 'private' } });
  const { id: measure } = await applyModerationAction(operator, {
    kind: 'character_hidden',
    subject_id: character,
  });
  const { id: appeal } = await maker.ask<{ id: string }>('/api/appeals', {
    json: { measure_id: measure, message: said.appeal },
    status: 201,
  });
  const secrets = [...Object.values(said), maker.email, reporter.email];
  return { operator, maker, reporter, character, report, messageReport, reply, appeal, measure, secrets };
}

describe('What staff looks at', () => {
  test('is in my account, each time: a report, a message, a private character, its picture, an appeal, an account', async () => {
    const { operator, maker, reporter, character, report, messageReport, reply, appeal } = await world();
    expect([await views(maker), await views(reporter)]).toEqual([[], []]);
    await operator.ask(`/api/admin/reports/${report}`);
    await operator.ask(`/api/admin/reports/${messageReport}`);
    await (await operator.call(`/api/admin/characters/${character}/picture`)).arrayBuffer();
    await operator.ask(`/api/admin/appeals/${appeal}`);
    await operator.ask(`/api/admin/accounts/${maker.id}`);
    await operator.ask(`/api/admin/accounts/${maker.id}`);
    const whatOf = (items: StaffViewList['items']) => items.map(({ what, subject_id }) => [what, subject_id]);
    expect(whatOf(await views(maker)).toSorted()).toEqual(
      [
        ['account', maker.id],
        ['account', maker.id],
        ['appeal', appeal],
        // The appeal is read beside what was hidden.
        ['character', character],
        ['character', character],
        ['character', character],
        ['character', character],
      ].toSorted(),
    );
    expect(whatOf(await views(reporter)).toSorted()).toEqual(
      [
        ['message', reply?.id],
        ['report', messageReport],
        ['report', report],
      ].toSorted(),
    );
    // Who of the staff it was stays with the operator; the log itself has it.
    expect(JSON.stringify(await views(maker))).not.toContain(operator.id);
    const admins = await env.DB.prepare('select distinct admin_id from staff_views where owner_id = ?')
      .bind(maker.id)
      .all();
    expect(admins.results).toEqual([{ admin_id: operator.id }]);
  });

  test('of what is public is nobody’s secret: only the report itself is told of', async () => {
    const [operator, maker, reporter] = [
      await createStaffUser(),
      await createAccount(),
      await createAccount(),
    ];
    const { id } = await createOwnCharacter(maker);
    const report = await reportCharacter(reporter, id);
    await operator.ask(`/api/admin/reports/${report}`);
    expect(await views(maker)).toEqual([]);
    expect(await views(reporter)).toMatchObject([{ what: 'report', subject_id: report }]);
  });

  test('by whatever route of theirs, whatever it does: none shows words of mine without a line in my account', async () => {
    const { operator, maker, reporter, character, report, messageReport, appeal, measure, secrets } =
      await world();
    const { inviter, me: invitee } = await createInvitedUser();
    await deliverEvents((await pay((await createMember(invitee)).id)).event);
    const ids: Record<string, string[]> = {
      reports: [report, messageReport],
      appeals: [appeal],
      accounts: [maker.id, reporter.id],
      characters: [character],
      measures: [measure],
    };
    const people = [maker, reporter, inviter];
    const lines = async () => {
      const all = await Promise.all(
        people.map(async (one) => [
          await views(one),
          // What was decided, and that it was taken back, stands in the account as well.
          (await one.ask<OwnModerationActionList>('/api/me/measures?limit=100')).items,
        ]),
      );
      return JSON.stringify(all);
    };
    const bodies: Record<string, object[]> = {
      'PUT /admin/characters/{id}/moderation': [
        { moderation: 'hidden', reason: 'Somebody looks into it.' },
        { moderation: 'shown' },
        { moderation: 'shown' },
      ],
      'POST /admin/measures': [{ kind: 'name_cleared', subject_id: character, reason: 'Rude.' }],
      'PATCH /admin/appeals/{id}': [{ status: 'declined', answer: 'It stays.' }],
    };
    const shown = new Set<string>();
    const operations = (await listOperations()).filter(
      ({ path }) => path.startsWith('/admin/') && !path.startsWith('/admin/business'),
    );
    // What ends something comes last.
    const order = ['GET', 'PATCH', 'PUT', 'POST', 'DELETE'];
    for (const operation of operations.toSorted(
      (one, other) => order.indexOf(one.method) - order.indexOf(other.method),
    )) {
      const name = formatOperation(operation);
      for (const id of ids[operation.path.split('/')[2] ?? ''] ?? ['']) {
        for (const json of bodies[name] ?? [buildValidBody(operation)]) {
          const before = await lines();
          const answer = await operator.call(buildOperationPath(operation, { id, character_id: character }), {
            method: operation.method,
            ...(operation.body === null ? {} : { json }),
          });
          const isPicture = answer.headers.get('content-type')?.startsWith('image/') === true;
          const text = await answer.text();
          const after = await lines();
          if (!isPicture && ![...secrets, inviter.email].some((secret) => text.includes(secret))) continue;
          shown.add(name);
          expect({ name, json, told: after !== before }).toEqual({ name, json, told: true });
        }
      }
    }
    expect([...shown].toSorted()).toEqual([
      'DELETE /admin/measures/{id}',
      'GET /admin/accounts/{id}',
      'GET /admin/appeals/{id}',
      'GET /admin/characters/{id}/lorebook',
      'GET /admin/characters/{id}/picture',
      'GET /admin/payouts',
      'GET /admin/reports/{id}',
      'POST /admin/measures',
      'PUT /admin/characters/{id}/moderation',
    ]);
  });

  test('when they pay commissions out is in the account of everybody whose name and address they are shown', async () => {
    const { inviter, me: invitee } = await createInvitedUser();
    await deliverEvents((await pay((await createMember(invitee)).id)).event);
    const operator = await createStaffUser();
    expect(await getAmountDue(inviter, operator)).toBeGreaterThan(0);
    expect(await views(inviter)).toMatchObject([{ what: 'account', subject_id: inviter.id }]);
  });

  test('is a list of pages, mine alone', async () => {
    const [operator, me] = [await createStaffUser(), await createAccount()];
    for (let index = 0; index < 3; index += 1) await operator.ask(`/api/admin/accounts/${me.id}`);
    const first = await me.ask<StaffViewList>('/api/me/staff-views?limit=2');
    const rest = await me.ask<StaffViewList>(`/api/me/staff-views?limit=2&cursor=${first.next_cursor}`);
    expect([first.items.length, rest.items.length, rest.next_cursor]).toEqual([2, 1, null]);
    expect(await views(await createAccount())).toEqual([]);
  });
});
