import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import { BUSINESS_DEFAULTS } from '../../src/config.ts';
import { BUSINESS_KEY, forgetBusiness } from '../../src/features/business/business-ports.ts';
import { broughtPicture, created } from '../support/character-form.ts';
import { entry, HOUR_MS, newSeason, readers, runAt } from '../support/competition.ts';
import { addressOf, documentedOperations } from '../support/documented.ts';
import { ElsewhereVisitor } from '../support/elsewhere.ts';
import { dueTo, invited } from '../support/inviters.ts';
import { guest, newTurnId, signedIn, Visitor } from '../support/makers.ts';
import { member, told } from '../support/members.ts';
import { nameOf } from '../support/nonsense.ts';
import { pay, subscribed } from '../support/paypal.ts';
import { measured, reported, staff } from '../support/staff.ts';

const operations = (await documentedOperations()).filter(({ path }) => path.startsWith('/admin/'));

/** Whom and what the routes are about. */
interface World {
  operator: Visitor;
  /** Who made the character that is reported. */
  maker: Visitor;
  reporter: Visitor;
  character: string;
  report: string;
}

/** What an admin sends to a route as it is meant to be used, and the status that comes of it. */
interface Use {
  ids?: Record<string, string>;
  json?: object;
  /** 200 when it is left out. */
  status?: number;
}

async function hidden({ operator, character, report }: World): Promise<string> {
  const json = { kind: 'character_hidden', subject_id: character, report_id: report };
  return (await measured(operator, json)).id;
}

async function appealed(world: World): Promise<string> {
  const json = { measure_id: await hidden(world), message: 'Why?' };
  return (await world.maker.ask<{ id: string }>('/api/appeals', { json, status: 201 })).id;
}

/** A season that is over, with one who won. */
async function decided(): Promise<number> {
  const season = await newSeason();
  await readers(await entry(season), 4);
  await runAt(season, HOUR_MS + 1);
  expect(await runAt(season, 2 * HOUR_MS)).toBe(true);
  return season.number;
}

const USES: Record<string, (world: World) => Promise<Use> | Use> = {
  'GET /admin/accounts/{id}': ({ maker }) => ({ ids: { id: maker.id } }),
  'GET /admin/appeals': () => ({}),
  'GET /admin/appeals/{id}': async (world) => ({ ids: { id: await appealed(world) } }),
  'PATCH /admin/appeals/{id}': async (world) => ({
    ids: { id: await appealed(world) },
    json: { status: 'granted', answer: 'Somebody looked at it.' },
  }),
  'GET /admin/business': () => ({}),
  'PUT /admin/business': () => ({ json: { message_cost_points: BUSINESS_DEFAULTS.message_cost_points } }),
  'PUT /admin/characters/{id}/moderation': ({ character }) => ({
    ids: { id: character },
    json: { moderation: 'hidden', reason: 'Somebody looks into it.' },
  }),
  'GET /admin/characters/{id}/lorebook': ({ character }) => ({ ids: { id: character } }),
  'GET /admin/characters/{id}/picture': ({ character }) => ({ ids: { id: character } }),
  'GET /admin/competition': () => ({}),
  'PUT /admin/competition/{character_id}/creativity': async () => ({
    ids: { character_id: await entry(await newSeason({ isToCome: true })) },
    json: { mark: 80 },
  }),
  'POST /admin/competition/prizes/{season}/{prize}/{place}': async () => ({
    ids: { season: String(await decided()), prize: 'gift_card', place: '1' },
  }),
  'POST /admin/gifts': ({ maker }) => ({
    json: { gift_id: newTurnId(), user_id: maker.id, points: 10 },
    status: 201,
  }),
  'POST /admin/measures': ({ character }) => ({
    json: { kind: 'name_cleared', subject_id: character, reason: 'Rude.' },
    status: 201,
  }),
  'DELETE /admin/measures/{id}': async (world) => ({ ids: { id: await hidden(world) } }),
  'GET /admin/payouts': () => ({}),
  'POST /admin/payouts': async ({ operator }) => {
    const { inviter, me } = await invited();
    await told((await pay((await member(me)).id)).event);
    const amount_cents = await dueTo(inviter, operator);
    return { json: { user_id: inviter.id, amount_cents, note: 'A transfer.' }, status: 201 };
  },
  'GET /admin/reports': () => ({}),
  'GET /admin/reports/{id}': ({ report }) => ({ ids: { id: report } }),
  'PATCH /admin/reports/{id}': ({ report }) => ({
    ids: { id: report },
    json: { status: 'upheld', answer: 'Somebody looked at it.' },
  }),
  'GET /admin/stats': () => ({}),
  'GET /admin/stats/referrals': () => ({}),
};

afterEach(async () => {
  await env.KV.delete(BUSINESS_KEY);
  forgetBusiness(env);
});

describe('Every route of the operator’s own people', () => {
  test('is among these tests, and no other', () => {
    expect(operations.map(nameOf).toSorted()).toEqual(Object.keys(USES).toSorted());
  });

  test.each(operations.map((operation) => [nameOf(operation), operation] as const))(
    'asks nobody to log in, is not there for anybody else, and does its work for an admin: %s',
    async (name, operation) => {
      const [operator, maker, reporter] = [await staff(), await signedIn(), await signedIn()];
      const { id: character } = await created(maker, { avatar_id: await broughtPicture(maker) });
      const report = await reported(reporter, character);
      const {
        ids = {},
        json,
        status = 200,
      } = await (USES[name]?.({ operator, maker, reporter, character, report }) ?? {});
      const [paying, suspended, shutOperator] = [await signedIn(), await signedIn(), await signedIn()];
      await subscribed(paying);
      for (const { id } of [suspended, shutOperator])
        await measured(operator, { kind: 'account_suspended', subject_id: id });
      const call = (visitor: Visitor, body: object | undefined) =>
        visitor.call(addressOf(operation, ids), {
          method: operation.method,
          ...(operation.body === null || body === undefined ? {} : { json: body }),
        });

      const roles = { guest: await guest(), reporter, member: paying, maker, suspended };
      // Whatever they send: what makes no sense tells them no more than what an admin would send.
      for (const body of [json, {}, { nonsense: true }]) {
        for (const [role, visitor] of Object.entries(roles)) {
          const answer = await call(visitor, body);
          expect({ name, role, status: answer.status, body: await answer.json() }).toEqual({
            name,
            role,
            status: 404,
            body: { error: 'The requested resource was not found.', code: 'not_found' },
          });
        }
        const nobody = await call(new Visitor(), body);
        expect({ name, status: nobody.status, body: await nobody.json() }).toMatchObject({
          name,
          status: 401,
          body: { code: 'unauthenticated' },
        });
      }

      // What others sent did nothing: there is still all of it to do. Nothing shuts out who decides about shutting out.
      const doing = name.startsWith('GET ')
        ? [operator, new ElsewhereVisitor({ ADMIN_EMAILS: shutOperator.email }, shutOperator)]
        : [operator];
      for (const visitor of doing) {
        const answer = await call(visitor, json);
        expect({
          name,
          status: answer.status,
          said: status === answer.status ? '' : await answer.text(),
        }).toEqual({
          name,
          status,
          said: '',
        });
        await answer.arrayBuffer().catch(() => null);
      }
    },
  );

  test('that decides takes words from a suspended admin as well: nothing shuts out staff', async () => {
    const me = await signedIn();
    await measured(await staff(), { kind: 'account_suspended', subject_id: me.id });
    const { id: character } = await created(await signedIn());
    const json = { moderation: 'hidden', reason: 'Somebody looks into it.' };
    const put = { method: 'PUT', json };
    const path = `/api/admin/characters/${character}/moderation`;
    expect((await me.call(path, put)).status).toBe(404);
    const again = new ElsewhereVisitor({ ADMIN_EMAILS: me.email }, me);
    expect(await again.ask(path, put)).toMatchObject({ id: character, moderation: 'hidden' });
  });
});
