import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { OwnModerationActionList } from '../../../../src/features/moderation/moderation-action-contract.ts';
import type { StaffViewList } from '../../../../src/features/moderation/staff-contract.ts';
import { startConversationClient } from '../../../support/conversation-client.ts';
import { uploadTestPicture, createOwnCharacter } from '../../../support/character-actions.ts';
import { buildOperationPath, listOperations } from '../../../support/openapi-operations.ts';
import { createUniqueWord } from '../../../support/all-stores.ts';
import { getAmountDue, createInvitedUser } from '../../../support/referrals.ts';
import { createAccount, Visitor } from '../../../support/factories.ts';
import { createMember, deliverEvents } from '../../../support/memberships.ts';
import { buildValidBody, formatOperation } from '../../../support/fuzz-bodies.ts';
import { pay } from '../../../support/paypal.ts';
import { createUniquePicture } from '../../../support/pictures.ts';
import { applyModerationAction, reportCharacter, createStaffUser } from '../../../support/staff.ts';

const views = async (me: Visitor) => (await me.ask<StaffViewList>('/api/me/staff-views?limit=100')).items;

/** Users with private data in every place that staff can open. */
async function createPrivateData() {
  const words = {
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
    name: words.name,
    character_traits: words.traits,
    alternate_greetings: [words.greeting],
    definition: { creator_notes: { text: words.note } },
    lorebook: { entries: [{ keys: ['rain'], content: words.lore, enabled: true }] },
  });
  const report = await reportCharacter(reporter, character, { reason: 'other', details: words.details });
  const chat = await startConversationClient(reporter, character);
  await chat.send('Hello.');
  const reply = (await chat.messages()).at(-1);
  await chat.edit(reply?.id as string, words.message);
  const { id: messageReport } = await chat.ask<{ id: string }>(`/messages/${reply?.id}/reports`, {
    json: { reason: 'illegal' },
    status: 201,
  });
  // The character is private after the report, so that only staff can see it.
  await maker.call(`/api/characters/${character}`, { method: 'PATCH', json: { visibility: 'private' } });
  const { id: measure } = await applyModerationAction(operator, {
    kind: 'character_hidden',
    subject_id: character,
  });
  const { id: appeal } = await maker.ask<{ id: string }>('/api/appeals', {
    json: { measure_id: measure, message: words.appeal },
    status: 201,
  });
  const secrets = [...Object.values(words), maker.email, reporter.email];
  return { operator, maker, reporter, character, report, messageReport, reply, appeal, measure, secrets };
}

describe('Staff views', () => {
  test('every staff view of private data is listed for the user whose data it is', async () => {
    const { operator, maker, reporter, character, report, messageReport, reply, appeal } =
      await createPrivateData();
    expect([await views(maker), await views(reporter)]).toEqual([[], []]);
    await operator.ask(`/api/admin/reports/${report}`);
    await operator.ask(`/api/admin/reports/${messageReport}`);
    await (await operator.call(`/api/admin/characters/${character}/picture`)).arrayBuffer();
    await operator.ask(`/api/admin/appeals/${appeal}`);
    await operator.ask(`/api/admin/accounts/${maker.id}`);
    await operator.ask(`/api/admin/accounts/${maker.id}`);
    const getSubjects = (items: StaffViewList['items']) =>
      items.map(({ what, subject_id }) => [what, subject_id]);
    expect(getSubjects(await views(maker)).toSorted()).toEqual(
      [
        ['account', maker.id],
        ['account', maker.id],
        ['appeal', appeal],
        // Two reports and an appeal are shown with the hidden character, which is one view a day; the picture is another.
        ['character', character],
        ['character', character],
      ].toSorted(),
    );
    expect(getSubjects(await views(reporter)).toSorted()).toEqual(
      [
        ['message', reply?.id],
        ['report', messageReport],
        ['report', report],
      ].toSorted(),
    );
    // The user does not see which staff member it was, but the log stores it.
    expect(JSON.stringify(await views(maker))).not.toContain(operator.id);
    const admins = await env.DB.prepare('select distinct admin_id from staff_access_log where owner_id = ?')
      .bind(maker.id)
      .all();
    expect(admins.results).toEqual([{ admin_id: operator.id }]);
  });

  test('a case that is opened again is one view a day for each admin, and another view on another day', async () => {
    const { operator, maker, reporter, character, report } = await createPrivateData();
    const openReport = (by: Visitor) => by.ask(`/api/admin/reports/${report}`);
    for (let step = 0; step < 3; step += 1) await openReport(operator);
    expect(await views(reporter)).toMatchObject([{ what: 'report', subject_id: report }]);
    expect(await views(maker)).toMatchObject([{ what: 'character', subject_id: character }]);
    await openReport(await createStaffUser());
    expect(await views(reporter)).toHaveLength(2);
    await env.DB.prepare('update staff_access_log set created_at = created_at - 86400001 where owner_id = ?')
      .bind(reporter.id)
      .run();
    await openReport(operator);
    expect(await views(reporter)).toHaveLength(3);
  });

  test('a staff view of a public character is not listed, and one of the report is', async () => {
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

  test('every staff route that shows private data adds an entry to that user’s list', async () => {
    const { operator, maker, reporter, character, report, messageReport, appeal, measure, secrets } =
      await createPrivateData();
    const { inviter, me: invitee } = await createInvitedUser();
    await deliverEvents((await pay((await createMember(invitee)).id)).event);
    const ids: Record<string, string[]> = {
      reports: [report, messageReport],
      appeals: [appeal],
      accounts: [maker.id, reporter.id],
      characters: [character],
      measures: [measure],
    };
    const users = [maker, reporter, inviter];
    const lines = async () => {
      const all = await Promise.all(
        users.map(async (one) => [
          await views(one),
          // Moderation actions and their ends are listed for the user as well.
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
    const routesWithData = new Set<string>();
    const operations = (await listOperations()).filter(
      ({ path }) => path.startsWith('/admin/') && !path.startsWith('/admin/business'),
    );
    // Calls that delete come last.
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
          routesWithData.add(name);
          expect({ name, json, told: after !== before }).toEqual({ name, json, told: true });
        }
      }
    }
    expect([...routesWithData].toSorted()).toEqual([
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

  test('a staff view of the payouts is listed for every user whose address it shows', async () => {
    const { inviter, me: invitee } = await createInvitedUser();
    await deliverEvents((await pay((await createMember(invitee)).id)).event);
    const operator = await createStaffUser();
    expect(await getAmountDue(inviter, operator)).toBeGreaterThan(0);
    expect(await views(inviter)).toMatchObject([{ what: 'account', subject_id: inviter.id }]);
  });

  test('the list of staff views is read in pages and contains the user’s own only', async () => {
    const [operator, me] = [await createStaffUser(), await createAccount()];
    for (let index = 0; index < 3; index += 1) await operator.ask(`/api/admin/accounts/${me.id}`);
    const first = await me.ask<StaffViewList>('/api/me/staff-views?limit=2');
    const secondPage = await me.ask<StaffViewList>(`/api/me/staff-views?limit=2&cursor=${first.next_cursor}`);
    expect([first.items.length, secondPage.items.length, secondPage.next_cursor]).toEqual([2, 1, null]);
    expect(await views(await createAccount())).toEqual([]);
  });
});
