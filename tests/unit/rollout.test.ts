import { describe, expect, test } from 'vitest';
import { readAccessHeaders, rollOut } from '../../scripts/deploy/rollout.mjs';
import { PREVIOUS_VERSION, BOOKMARK, deploySite, NEW_VERSION } from '../support/deployment.ts';

const BY_TURNS = /watched {5}\d+ s only: a visitor gets both versions in turn/;

describe('A deployment', () => {
  test('records the way back, migrates before any code, and shifts the traffic gradually', async () => {
    const { code, did, said, split, notes } = await deploySite();
    expect(code).toBe(0);
    expect(did).toEqual([
      'deployments status --json',
      `versions view ${PREVIOUS_VERSION} --json`,
      'd1 time-travel info DB --json',
      'd1 migrations apply DB --remote',
      'versions upload',
      `versions deploy ${PREVIOUS_VERSION}@100% ${NEW_VERSION}@0%`,
      `versions deploy ${PREVIOUS_VERSION}@90% ${NEW_VERSION}@10%`,
      `versions deploy ${NEW_VERSION}@100%`,
      'triggers deploy',
    ]);
    expect(split).toEqual({ [NEW_VERSION]: 100 });
    expect(notes[0]).toMatchObject({ before: PREVIOUS_VERSION, bookmark: BOOKMARK });
    expect(said).toContain(`npx wrangler rollback ${PREVIOUS_VERSION}`);
    expect(said).toContain(`npx wrangler d1 time-travel restore DB --bookmark=${BOOKMARK}`);
  });

  test('gives no traffic to a version that fails its smoke test', async () => {
    const { code, did, split } = await deploySite({ freshHealth: 503 });
    expect(code).toMatch(/The new version failed \(\/api\/health answered 503\)/);
    expect(split).toEqual({ [PREVIOUS_VERSION]: 100 });
    expect(did).not.toContain(`versions deploy ${NEW_VERSION}@100%`);
  });

  test('goes back when the version fails with all traffic', async () => {
    const { code, did, split } = await deploySite({ freshHealth: 500, failsOnceAll: true });
    expect(code).toMatch(/All traffic is back on/);
    expect(did).toContain(`versions deploy ${NEW_VERSION}@100%`);
    expect(split).toEqual({ [PREVIOUS_VERSION]: 100 });
  });

  test('ends the watch early when a visitor would get both versions in turn', async () => {
    const { code, said, split } = await deploySite({ byTurns: true });
    expect(code).toBe(0);
    expect(said).toMatch(BY_TURNS);
    expect(split).toEqual({ [NEW_VERSION]: 100 });
  });

  test('judges a version by its own answers, however late the platform gives them', async () => {
    const late = await deploySite({ lag: 8 });
    expect(late.code).toBe(0);
    expect([...late.met].sort()).toEqual([0, 10, 100]);
    const failing = await deploySite({ lag: 8, freshHealth: 503 });
    expect(failing.code).toMatch(/The new version failed \(\/api\/health answered 503\)/);
    expect(failing.split).toEqual({ [PREVIOUS_VERSION]: 100 });
    const failingOnceAll = await deploySite({ lag: 8, freshHealth: 500, failsOnceAll: true });
    expect(failingOnceAll.code).toMatch(/The new version failed \(\/api\/health answered 500\)/);
    expect(failingOnceAll.split).toEqual({ [PREVIOUS_VERSION]: 100 });
  });

  test.each([
    [{ lag: 1000 }, `/api/health was answered by ${PREVIOUS_VERSION}, not by ${NEW_VERSION}`],
    [{ isMute: true }, `/api/health was answered by an unnamed version, not by ${NEW_VERSION}`],
  ])('goes back when only other versions answer: %o', async (site, sentence) => {
    const { code, did, split, asked } = await deploySite(site);
    expect(code).toContain(sentence);
    expect(split).toEqual({ [PREVIOUS_VERSION]: 100 });
    expect(did).not.toContain(`versions deploy ${NEW_VERSION}@100%`);
    expect(asked.length).toBeLessThan(100);
  });

  test('requests a rarer version more often, within bounds, to find versions that alternate', async () => {
    const [often, seldom] = [
      await deploySite({ byTurns: true, percent: 50, seldom: 9 }),
      await deploySite({ byTurns: true, percent: 10, seldom: 60 }),
    ];
    for (const { code, said } of [often, seldom]) {
      expect(code).toBe(0);
      expect(said).toMatch(BY_TURNS);
    }
    const visits = [];
    for (const percent of [50, 10, 1]) {
      const { asked, said } = await deploySite({ percent });
      expect(said).toContain('watched     30 s');
      visits.push(asked.filter((address) => address.includes('/_astro/')).length);
    }
    // At once, and after each of three pauses.
    expect(visits).toEqual([40, 264, 1400]);
  });

  test.each([30, 66, 100, 200])(
    'finds versions that alternate when the share takes effect %i answers late',
    async (shareLag) => {
      const { code, said, split } = await deploySite({ byTurns: true, shareLag });
      expect(code).toBe(0);
      expect(said).toMatch(BY_TURNS);
      expect(split).toEqual({ [NEW_VERSION]: 100 });
    },
  );

  test.each([{ shareLag: 0 }, { shareLag: 30 }, { shareLag: 100 }, { losesFiles: 1 }, { losesFiles: 5 }])(
    'watches to the end when a visitor keeps the new version: %o',
    async (site) => {
      const { code, said } = await deploySite({ keepsFresh: true, ...site });
      expect(code).toBe(0);
      expect(said).toContain('watched     30 s\n');
    },
  );

  test('continues when one request of the watch is lost', async () => {
    const lost = await deploySite({ loses: 1 });
    expect(lost.code).toBe(0);
    expect(lost.split).toEqual({ [NEW_VERSION]: 100 });
    const { code, split } = await deploySite({ loses: 1000 });
    expect(code).toContain('The new version failed (/api/health answered nothing)');
    expect(split).toEqual({ [PREVIOUS_VERSION]: 100 });
  });

  test('tests a site that moves at its old domain, and at the new one in the end', async () => {
    const { code, did, said, split, asked } = await deploySite({ address: 'https://talk.example' });
    expect(code).toBe(0);
    expect(split).toEqual({ [NEW_VERSION]: 100 });
    expect(said).toContain('domain      https://talk.example until everybody gets the new version');
    expect(did.at(-1)).toBe('triggers deploy');
    const hosts = asked.map((address) => address.split('/')[0]);
    expect(hosts[0]).toBe('talk.example');
    expect(hosts.at(-1)).toBe('chat.example');
    expect(hosts.lastIndexOf('talk.example')).toBeLessThan(hosts.indexOf('chat.example'));
    const failing = await deploySite({ address: 'https://talk.example', freshHealth: 503 });
    expect(failing.split).toEqual({ [PREVIOUS_VERSION]: 100 });
    expect(failing.did).not.toContain('triggers deploy');
  });

  test('is not gradual the first time and when the classes of objects change', async () => {
    // Of a Worker that wrangler made for a secret there is a version, and no site.
    for (const site of [{ now: null }, { isDraft: true }, { pendingClasses: true }]) {
      const { code, did, split } = await deploySite(site);
      expect(code).toBe(0);
      expect(did).toContain('deploy');
      expect(did.indexOf('d1 migrations apply DB --remote')).toBeLessThan(did.indexOf('deploy'));
      expect(split).toEqual({ [NEW_VERSION]: 100 });
    }
  });

  test('waits for a new domain, also when a secret was set before the first deployment', async () => {
    for (const site of [{ now: null }, { isDraft: true }]) {
      const { code, said, did } = await deploySite({ ...site, appearsAfter: 20 });
      expect(code).toBe(0);
      expect(said).toContain('version none yet');
      expect(said).not.toContain('rollback');
      expect(did).not.toContain('versions upload');
    }
  });

  test('says how to enable Analytics Engine when the upload is rejected for it', async () => {
    const { code } = await deploySite({ now: null, uploadFails: 'You need to enable it. [code: 10089]' });
    expect(code).toMatch(/\[code: 10089\]\nEnable Analytics Engine once for the account/);
  });

  test.each([
    ['versions view', 'Reading the site’s address failed'],
    ['d1 time-travel', 'Nothing was changed: '],
    ['d1 migrations apply', 'Migrating the database failed'],
    ['versions deploy', 'Shifting the traffic failed'],
  ])('stops when «%s» fails, and leaves the traffic as it was', async (refuses, sentence) => {
    const { code, did, split } = await deploySite({ refuses });
    expect(code).toContain(sentence);
    expect(split).toEqual({ [PREVIOUS_VERSION]: 100 });
    if (refuses !== 'versions deploy') expect(did).not.toContain('versions upload');
  });

  test('prints the command that sets routes and crons when setting them failed', async () => {
    const { code, split } = await deploySite({ refuses: 'triggers deploy' });
    expect(code).toContain('setting its routes and crons failed: An unexpected error occurred.');
    expect(code).toContain('npx wrangler triggers deploy --config built.json');
    expect(split).toEqual({ [NEW_VERSION]: 100 });
  });

  test('reaches a site behind Access with the service token in the shell', async () => {
    const letsIn = { 'cf-access-client-id': 'ours.access', 'cf-access-client-secret': 'secret-of-access' };
    const shell = { CF_ACCESS_CLIENT_ID: 'ours.access', CF_ACCESS_CLIENT_SECRET: 'secret-of-access' };
    const { code, said, split } = await deploySite({ letsIn, shell });
    expect(code).toBe(0);
    expect(split).toEqual({ [NEW_VERSION]: 100 });
    expect(said).not.toContain('secret-of-access');
    const without = await deploySite({ letsIn });
    expect(without.code).toMatch(/\/api\/health is behind Zero Trust Access.*CF_ACCESS_CLIENT_ID/);
    expect(without.split).toEqual({ [PREVIOUS_VERSION]: 100 });
    for (const half of Object.entries(shell))
      expect(() => readAccessHeaders(Object.fromEntries([half]))).toThrow(/^CF_ACCESS_CLIENT_\w+ is missing/);
  });

  test('sends the token to the site only and follows no redirect', async () => {
    const asked: RequestInit[] = [];
    const ask = async (_: string, how: RequestInit) => {
      asked.push(how);
      return new Response('{ "ok": true } <html>', { headers: { 'x-version': NEW_VERSION } });
    };
    await deploySite({ ask: ask as unknown as typeof fetch });
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every(({ redirect }) => redirect === 'manual')).toBe(true);
  });

  test('does not start while another is in progress', async () => {
    const first = await deploySite({ percent: 0 });
    expect(first.did).not.toContain(`versions deploy ${PREVIOUS_VERSION}@90% ${NEW_VERSION}@10%`);
    const answer = await rollOut({
      wrangler: () =>
        Promise.resolve({
          code: 0,
          out: JSON.stringify({
            versions: [
              { version_id: PREVIOUS_VERSION, percentage: 90 },
              { version_id: NEW_VERSION, percentage: 10 },
            ],
          }),
          err: '',
        }),
      config: 'built.json',
    } as never).catch((error: unknown) => (error as Error).message);
    expect(answer).toMatch(/A gradual deployment is in progress/);
  });
});
