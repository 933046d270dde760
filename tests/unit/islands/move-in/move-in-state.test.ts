import { describe, expect, test } from 'vitest';
import { NETWORK_FAILURE } from '../../../../src/islands/shared/api.ts';
import type { TabLocks } from '../../../../src/islands/shared/outbox.ts';
import { buildTavernCard, buildTavernWorld } from '../../../support/backups.ts';
import { createDeviceStorage } from '../../../support/form-fixture.ts';
import {
  BACKUP,
  createMoveInFixture,
  createMoveInServer,
  createFailure,
  ME,
  toFile,
} from '../../../support/move-in-fixture.ts';

describe('Moving in', () => {
  test('each file of a backup is moved in once or left out with its reason', async () => {
    const { moveIn, state, report, calls, bodies } = createMoveInFixture();
    await moveIn.choose(toFile(BACKUP));
    expect(state()).toMatchObject({ phase: 'ready', chosen: ['persona', 'character', 'chat', 'lorebook'] });
    await moveIn.start();
    expect(state().phase).toBe('done');
    expect(report()).toEqual({
      'settings.json: Wren': 'made',
      'settings.json: Kai': 'made',
      'settings.json: Mute': 'left: empty',
      'settings.json: Long': 'text: long',
      'settings.json': 'left: personas_only',
      'characters/Mira.png': 'made',
      'characters/Ebbe.png': 'made',
      'chats/Mira/one.jsonl': 'made',
      'chats/Mira/two.jsonl': 'made',
      'chats/Ebbe/one.jsonl': 'made',
      'worlds/Coast.json': 'made',
      'worlds/Moon.json': 'left: unlinked',
      'backgrounds/sea.jpg': 'left: picture',
    });
    // Chats find their persona by its name.
    expect(calls.indexOf('importChat')).toBeGreaterThan(calls.lastIndexOf('createPersona'));
    const [mira, ebbe] = bodies;
    expect(mira).toMatchObject({ name: 'Mira', visibility: 'private', import_id: 'import 1' });
    expect(mira?.lorebook?.entries).toHaveLength(1);
    expect(ebbe).not.toHaveProperty('lorebook');
    expect(new Set(bodies.map(({ import_key: key }) => key)).size).toBe(2);
    expect(mira?.import_key).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });

  test('the same backup makes nothing a second time, also in another folder and on another device', async () => {
    const server = createMoveInServer();
    const first = createMoveInFixture(server);
    await first.moveIn.choose(toFile(BACKUP));
    await first.moveIn.start();
    const before = server.made.size;
    const second = createMoveInFixture(server);
    const moved = Object.entries(BACKUP).map(([name, body]) => [`data/me/${name}`, body]);
    await second.moveIn.choose(toFile(Object.fromEntries(moved)));
    await second.moveIn.start();
    expect(server.made.size).toBe(before);
    expect(second.report()).toMatchObject({
      'data/me/settings.json: Wren': 'present',
      'data/me/characters/Mira.png': 'present',
      'data/me/chats/Mira/one.jsonl': 'present',
      'data/me/worlds/Coast.json': 'present',
    });
  });

  test('a move that is paused in the middle of a request continues after a reload, and makes nothing twice', async () => {
    const { moveIn, made, hooks, storage, calls, state } = createMoveInFixture();
    await moveIn.choose(toFile(BACKUP));
    hooks.onCall = (method) => method === 'importChat' && moveIn.pause();
    await moveIn.start();
    expect(state().phase).toBe('paused');
    expect(calls.filter((method) => method === 'importChat')).toHaveLength(1);

    const later = createMoveInFixture({ ...createMoveInServer(), made, calls }, {}, storage);
    expect(later.state().earlier).toMatchObject({ name: 'backup.zip', total: 11 });
    const server = createMoveInServer();
    const resumed = createMoveInFixture(server, {}, storage);
    await resumed.moveIn.choose(toFile(BACKUP));
    expect(resumed.state().phase).toBe('paused');
    await resumed.moveIn.start();
    expect(resumed.state().phase).toBe('done');
    // The chat of the paused request was answered, so two are left.
    expect(server.calls).toEqual(['importChat', 'importChat']);
    expect(resumed.report()).toMatchObject({ 'characters/Mira.png': 'made', 'chats/Ebbe/one.jsonl': 'made' });
  });

  test('another archive starts from the beginning', async () => {
    const { moveIn, state, storage } = createMoveInFixture();
    await moveIn.choose(toFile(BACKUP));
    await moveIn.start();
    const other = createMoveInFixture(createMoveInServer(), {}, storage);
    await other.moveIn.choose(toFile({ ...BACKUP, 'worlds/Sun.json': buildTavernWorld('Sun') }));
    expect([state().phase, other.state().phase]).toEqual(['done', 'ready']);
  });

  test('a refused text can be appealed against where it was refused, and is not saved', async () => {
    const { moveIn, refusals, state, storage } = createMoveInFixture();
    const refused = { rule: 'hate', text: 'Refused words', token: '1.a' } as const;
    const failure = createFailure(422, 'text_refused', { rule: 'hate', refused });
    for (const method of ['createPersona', 'importCard', 'createCharacter'] as const)
      refusals.push({ method, failure });
    await moveIn.choose(toFile(BACKUP));
    await moveIn.start();
    const listAppeals = () =>
      state().items.flatMap(({ kind }, index) => {
        const outcome = state().outcomes[index];
        return outcome?.state === 'failed' ? [[kind, outcome.failure.refused]] : [];
      });
    expect(listAppeals()).toEqual([
      ['persona', { ...refused, place: 'persona' }],
      ['character', { ...refused, place: 'import' }],
      ['character', { ...refused, place: 'character' }],
    ]);
    refusals.push({ method: 'importChat', failure });
    await moveIn.retry();
    expect(listAppeals()).toEqual([['chat', { ...refused, place: 'import' }]]);
    expect(JSON.stringify([...storage.kept])).not.toContain('Refused words');
  });

  test('a refused request is repeated after Retry-After', async () => {
    const { moveIn, state, refusals, clock, settled, report } = createMoveInFixture();
    await moveIn.choose(toFile(BACKUP));
    refusals.push({
      method: 'importCard',
      failure: createFailure(429, 'too_many_requests', { retryAfter: 60 }),
    });
    const run = moveIn.start();
    await settled();
    expect(state().wait).toEqual({ reason: 'rate', until: 60_000 });
    clock.advance(59_999);
    await settled();
    expect(state().wait).not.toBeNull();
    clock.advance(1);
    await run;
    expect(report()['characters/Mira.png']).toBe('made');
  });

  test('the limit of a day is waited for with its own reason, however long the computer sleeps', async () => {
    const { moveIn, state, refusals, clock, settled } = createMoveInFixture();
    await moveIn.choose(toFile(BACKUP));
    refusals.push({
      method: 'importChat',
      failure: createFailure(429, 'too_many_imports', { retryAfter: 40_000 }),
    });
    const run = moveIn.start();
    await settled();
    expect(state().wait).toEqual({ reason: 'day', until: 40_000_000 });
    clock.advance(90_000_000);
    await run;
    expect(state().phase).toBe('done');
  });

  test('without a network the move waits and continues as soon as it is back', async () => {
    const { moveIn, state, refusals, online, settled } = createMoveInFixture();
    await moveIn.choose(toFile(BACKUP));
    refusals.push({ method: 'importChat', failure: NETWORK_FAILURE });
    const run = moveIn.start();
    await settled();
    expect(state().wait?.reason).toBe('network');
    online[0]?.();
    await run;
    expect(state().phase).toBe('done');
    expect(online).toEqual([]);
  });

  test('a waiting move can be paused', async () => {
    const { moveIn, state, refusals, settled } = createMoveInFixture();
    await moveIn.choose(toFile(BACKUP));
    refusals.push({ method: 'importCard', failure: NETWORK_FAILURE });
    const run = moveIn.start();
    await settled();
    moveIn.pause();
    await run;
    expect(state()).toMatchObject({ phase: 'paused', wait: null, current: null });
  });

  test('a session that ended is renewed, and the move continues for the same user only', async () => {
    const same = createMoveInFixture();
    await same.moveIn.choose(toFile(BACKUP));
    same.refusals.push({ method: 'importCard', failure: createFailure(401, 'unauthenticated') });
    await same.moveIn.start();
    expect(same.state().phase).toBe('done');

    const other = createMoveInFixture(createMoveInServer(), { signIn: async () => 'another user' });
    await other.moveIn.choose(toFile(BACKUP));
    other.refusals.push({ method: 'importCard', failure: createFailure(401, 'unauthenticated') });
    await other.moveIn.start();
    expect(other.state()).toMatchObject({ phase: 'stopped', failure: { code: 'other_account' } });
  });

  test('too few points stop the move with the reason, and it can continue', async () => {
    const { moveIn, state, refusals, report } = createMoveInFixture();
    await moveIn.choose(toFile(BACKUP));
    refusals.push({ method: 'createCharacter', failure: createFailure(402, 'points_exhausted') });
    await moveIn.start();
    expect(state()).toMatchObject({ phase: 'stopped', failure: { code: 'points_exhausted' } });
    expect(report()['characters/Mira.png']).toBe('pending');
    await moveIn.start();
    expect(state().phase).toBe('done');
  });

  test('a file that the server refuses fails with its reason, its chats wait, and both can be retried', async () => {
    const { moveIn, state, refusals, report } = createMoveInFixture();
    await moveIn.choose(toFile(BACKUP));
    refusals.push({ method: 'importCard', failure: createFailure(422, 'card_damaged') });
    await moveIn.start();
    expect(state().phase).toBe('done');
    expect(report()).toMatchObject({
      'characters/Mira.png': 'failed: card_damaged',
      'chats/Mira/one.jsonl': 'left: no_character',
      'worlds/Coast.json': 'left: unlinked',
      'characters/Ebbe.png': 'made',
    });
    await moveIn.retry();
    expect(report()).toMatchObject({
      'characters/Mira.png': 'made',
      'chats/Mira/one.jsonl': 'made',
      'worlds/Coast.json': 'made',
    });
  });

  test('a server error fails one file after five repetitions, and the others continue', async () => {
    const { moveIn, state, refusals, clock, settled, report } = createMoveInFixture();
    await moveIn.choose(toFile(BACKUP));
    for (let times = 0; times < 6; times += 1)
      refusals.push({ method: 'importCard', failure: createFailure(503, 'server_error') });
    const run = moveIn.start();
    for (let times = 0; times < 5; times += 1) {
      await settled();
      expect(state().wait?.reason).toBe('server');
      clock.advance(60_000);
    }
    await run;
    expect(report()).toMatchObject({
      'characters/Mira.png': 'failed: server_error',
      'characters/Ebbe.png': 'made',
    });
  });

  test('personas beyond the plan are offered as text', async () => {
    const { moveIn, report } = createMoveInFixture(createMoveInServer(1));
    await moveIn.choose(toFile(BACKUP));
    await moveIn.start();
    expect(report()).toMatchObject({ 'settings.json: Wren': 'made', 'settings.json: Kai': 'text: limit' });
  });

  test('only the chosen kinds are moved in', async () => {
    const { moveIn, report, calls } = createMoveInFixture();
    await moveIn.choose(toFile(BACKUP));
    for (const kind of ['persona', 'chat', 'lorebook'] as const) moveIn.chooseKind(kind, false);
    await moveIn.start();
    expect(new Set(calls)).toEqual(new Set(['importCard', 'createCharacter']));
    expect(report()).toMatchObject({
      'settings.json: Wren': 'left: not_chosen',
      'characters/Mira.png': 'made',
      'chats/Mira/one.jsonl': 'left: not_chosen',
      'worlds/Coast.json': 'left: not_chosen',
    });
  });

  test('a card that the server deleted during a long wait is imported again', async () => {
    const { moveIn, refusals, report, calls } = createMoveInFixture();
    await moveIn.choose(toFile({ 'characters/Mira.png': BACKUP['characters/Mira.png'] }));
    const failure = createFailure(400, 'invalid_input', { fields: { import_id: ['Not found'] } });
    refusals.push({ method: 'createCharacter', failure });
    await moveIn.start();
    expect(calls).toEqual(['importCard', 'createCharacter', 'importCard', 'createCharacter']);
    expect(report()).toEqual({ 'characters/Mira.png': 'made' });
  });

  test('a lorebook that is none or too large is reported, and its character is moved in without it', async () => {
    const { moveIn, report } = createMoveInFixture();
    const card = (name: string, world: string) => buildTavernCard({ name, extensions: { world } });
    await moveIn.choose(
      toFile({
        'characters/A.png': card('A', 'None'),
        'characters/B.png': card('B', 'Huge'),
        'worlds/None.json': '[]',
        'worlds/Huge.json': {
          entries: {
            0: {
              uid: 0,
              key: ['a'],
              content: Array.from({ length: 100_000 }, (_, number) => number).join(' '),
              keysecondary: [],
            },
          },
        },
      }),
    );
    await moveIn.start();
    expect(report()).toEqual({
      'characters/A.png': 'made',
      'characters/B.png': 'made',
      'worlds/None.json': 'failed: entry_no_lorebook',
      'worlds/Huge.json': 'failed: entry_lorebook_too_large',
    });
  });

  test('two tabs do not move in at the same time', async () => {
    const locks: TabLocks = {
      request: async (_name, _options, run) => run(null),
      query: async () => ({ held: [] }),
    };
    const { moveIn, state, calls } = createMoveInFixture(createMoveInServer(), { locks });
    await moveIn.choose(toFile(BACKUP));
    await moveIn.start();
    expect([state().phase, calls]).toEqual(['elsewhere', []]);
  });

  test('a file that is chosen before the account is known stays, with the progress of that account', async () => {
    const storage = createDeviceStorage();
    const file = toFile(BACKUP);
    const early = createMoveInFixture(createMoveInServer(), {}, storage);
    early.moveIn.close();
    await early.moveIn.choose(file);
    early.moveIn.openFor(ME);
    expect([early.state().phase, early.state().name]).toEqual(['ready', file.name]);
    await early.moveIn.start();
    expect(early.state().phase).toBe('done');
    const later = createMoveInFixture(createMoveInServer(), {}, storage);
    later.moveIn.close();
    await later.moveIn.choose(file);
    later.moveIn.openFor(ME);
    expect(later.report()).toEqual(early.report());
    later.moveIn.openFor('another');
    expect(later.state().items).toEqual([]);
  });

  test('a tab that waited for another one keeps its progress and sends nothing again', async () => {
    const server = createMoveInServer();
    const storage = createDeviceStorage();
    const first = createMoveInFixture(server, {}, storage);
    let isHeld = true;
    const locks: TabLocks = {
      request: async (_name, _options, run) => run(isHeld ? null : {}),
      query: async () => ({ held: [] }),
    };
    const second = createMoveInFixture(server, { locks }, storage);
    // Two files would have two dates, by which progress is found again.
    const file = toFile(BACKUP);
    await Promise.all([first.moveIn.choose(file), second.moveIn.choose(file)]);
    await first.moveIn.start();
    const sent = server.calls.length;
    const saved = [...storage.kept];
    await second.moveIn.start();
    expect(second.state().phase).toBe('elsewhere');
    expect([...storage.kept]).toEqual(saved);
    isHeld = false;
    await second.moveIn.start();
    expect(second.state().phase).toBe('done');
    expect(second.report()).toEqual(first.report());
    expect(server.calls).toHaveLength(sent);
  });

  test.each([
    ['a card', new File(['{}'], 'Mira.json'), 'card'],
    ['an archive of cards', toFile({ 'Mira.png': 'picture' }), 'cards'],
    ['a damaged archive', new File(['PK\u0003\u0004 and more'], 'backup.zip'), 'damaged'],
  ])('%s is refused by name', async (_, file, refusal) => {
    const { moveIn, state } = createMoveInFixture();
    await moveIn.choose(file);
    expect(state()).toMatchObject({ phase: 'refused', refusal, items: [] });
  });

  test('an archive that can no longer be read stops the move', async () => {
    const { moveIn, state } = createMoveInFixture();
    const file = toFile(BACKUP);
    await moveIn.choose(file);
    Object.defineProperty(file, 'slice', {
      value: () => ({ arrayBuffer: () => Promise.reject(new Error('gone')) }),
    });
    await moveIn.start();
    expect(state()).toMatchObject({ phase: 'stopped', failure: { code: 'archive_unreadable' } });
  });
});
