import { BUSINESS_DEFAULTS } from '../../src/features/runtime-config/defaults.ts';
import { broughtPicture, created } from './character-form.ts';
import { entry, HOUR_MS, newSeason, readers, runAt } from './competition.ts';
import { dueTo, invited } from './inviters.ts';
import { newTurnId, signedIn, type Visitor } from './makers.ts';
import { member, told } from './members.ts';
import { pay } from './paypal.ts';
import { measured, reported } from './staff.ts';

/** Whom and what the routes of the operator's own people are about. */
export interface AdminWorld {
  operator: Visitor;
  /** Who made the character that is reported. */
  maker: Visitor;
  reporter: Visitor;
  character: string;
  report: string;
}

/** What an admin sends to a route as it is meant to be used, and the status that comes of it. */
export interface AdminUse {
  ids?: Record<string, string>;
  json?: object;
  /** 200 when it is left out. */
  status?: number;
}

/** A character with a picture, and a report of it. */
export async function newAdminWorld(operator: Visitor): Promise<AdminWorld> {
  const [maker, reporter] = [await signedIn(), await signedIn()];
  const { id: character } = await created(maker, { avatar_id: await broughtPicture(maker) });
  return { operator, maker, reporter, character, report: await reported(reporter, character) };
}

async function hidden({ operator, character, report }: AdminWorld): Promise<string> {
  const json = { kind: 'character_hidden', subject_id: character, report_id: report };
  return (await measured(operator, json)).id;
}

async function appealed(world: AdminWorld): Promise<string> {
  const json = { measure_id: await hidden(world), message: 'Why?' };
  return (await world.maker.ask<{ id: string }>('/api/appeals', { json, status: 201 })).id;
}

/** A season that is over, with one who won. */
async function decided(): Promise<number> {
  const season = await newSeason();
  await readers(await entry(season), 4);
  await runAt(season, HOUR_MS + 1);
  if (!(await runAt(season, 2 * HOUR_MS))) throw new Error('nobody won the season');
  return season.number;
}

/** Every route under /admin with something real that it is about: an id that is unknown is not there for anybody. */
export const ADMIN_USES: Readonly<Record<string, (world: AdminWorld) => Promise<AdminUse> | AdminUse>> = {
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
