import { RUNTIME_CONFIG_DEFAULTS } from '../../src/features/runtime-config/defaults.ts';
import { uploadTestPicture, createOwnCharacter } from './character-actions.ts';
import { addEntry, HOUR_MS, createSeason, createReaders, runStandingsAt } from './competition.ts';
import { getAmountDue, createInvitedUser } from './referrals.ts';
import { createTurnId, createAccount, type Visitor } from './factories.ts';
import { createMember, deliverEvents } from './memberships.ts';
import { pay } from './paypal.ts';
import { applyModerationAction, reportCharacter } from './staff.ts';

/** The users and ids that the staff routes are called with. */
export interface AdminFixture {
  operator: Visitor;
  /** The creator of the reported character. */
  maker: Visitor;
  reporter: Visitor;
  character: string;
  report: string;
}

/** A valid request to a staff route and its expected status. */
export interface AdminRequest {
  ids?: Record<string, string>;
  json?: object;
  /** With its question mark. */
  query?: string;
  /** 200 by default. */
  status?: number;
}

/** A character with a picture, and a report of it. */
export async function createAdminFixture(operator: Visitor): Promise<AdminFixture> {
  const [maker, reporter] = [await createAccount(), await createAccount()];
  const { id: character } = await createOwnCharacter(maker, { avatar_id: await uploadTestPicture(maker) });
  return { operator, maker, reporter, character, report: await reportCharacter(reporter, character) };
}

async function hideCharacter({ operator, character, report }: AdminFixture): Promise<string> {
  const json = { kind: 'character_hidden', subject_id: character, report_id: report };
  return (await applyModerationAction(operator, json)).id;
}

async function submitAppeal(world: AdminFixture): Promise<string> {
  const json = { measure_id: await hideCharacter(world), message: 'Why?' };
  return (await world.maker.ask<{ id: string }>('/api/appeals', { json, status: 201 })).id;
}

/** A finished season with one winner. */
async function createFinishedSeason(): Promise<number> {
  const season = await createSeason();
  await createReaders(await addEntry(season), 4);
  await runStandingsAt(season, HOUR_MS + 1);
  if (!(await runStandingsAt(season, 2 * HOUR_MS))) throw new Error('nobody won the season');
  return season.number;
}

/** A valid request for every route under /admin; unknown ids would be answered with 404. */
export const ADMIN_REQUESTS: Readonly<
  Record<string, (world: AdminFixture) => Promise<AdminRequest> | AdminRequest>
> = {
  'GET /admin/accounts/{id}': ({ maker }) => ({ ids: { id: maker.id } }),
  'GET /admin/appeals': () => ({}),
  'GET /admin/appeals/{id}': async (world) => ({ ids: { id: await submitAppeal(world) } }),
  'PATCH /admin/appeals/{id}': async (world) => ({
    ids: { id: await submitAppeal(world) },
    json: { status: 'granted', answer: 'Somebody looked at it.' },
  }),
  'GET /admin/business': () => ({}),
  'PUT /admin/business': () => ({
    json: { message_cost_points: RUNTIME_CONFIG_DEFAULTS.message_cost_points },
  }),
  'PUT /admin/characters/{id}/moderation': ({ character }) => ({
    ids: { id: character },
    json: { moderation: 'hidden', reason: 'Somebody looks into it.' },
  }),
  'GET /admin/characters/{id}/lorebook': ({ character }) => ({ ids: { id: character } }),
  'GET /admin/characters/{id}/picture': ({ character }) => ({ ids: { id: character } }),
  'PUT /admin/characters/{id}/featured': ({ character }) => ({
    ids: { id: character },
    json: { featured: true },
  }),
  'GET /admin/competition': () => ({}),
  'PUT /admin/competition/{character_id}/creativity': async () => ({
    ids: { character_id: await addEntry(await createSeason({ isToCome: true })) },
    json: { mark: 80 },
  }),
  'POST /admin/competition/prizes/{season}/{prize}/{place}': async () => ({
    ids: { season: String(await createFinishedSeason()), prize: 'gift_card', place: '1' },
  }),
  'GET /admin/featured': () => ({}),
  'GET /admin/feedback': () => ({}),
  'PATCH /admin/feedback/{id}': async ({ maker }) => {
    const json = { message: 'More lanterns.' };
    const { id } = await maker.ask<{ id: string }>('/api/feedback', { json, status: 201 });
    return { ids: { id }, json: { read: true } };
  },
  'POST /admin/gifts': ({ maker }) => ({
    json: { gift_id: createTurnId(), user_id: maker.id, points: 10 },
    status: 201,
  }),
  'GET /admin/people': () => ({ query: '?q=wren' }),
  'POST /admin/measures': ({ character }) => ({
    json: { kind: 'name_cleared', subject_id: character, reason: 'Rude.' },
    status: 201,
  }),
  'DELETE /admin/measures/{id}': async (world) => ({ ids: { id: await hideCharacter(world) } }),
  'GET /admin/payouts': () => ({}),
  'POST /admin/payouts': async ({ operator }) => {
    const { inviter, me } = await createInvitedUser();
    await deliverEvents((await pay((await createMember(me)).id)).event);
    const amount_cents = await getAmountDue(inviter, operator);
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
