import { describe, expect, test } from 'vitest';
import { readAccessHeaders, rollOut } from '../../../../scripts/deploy/rollout.mjs';
import { PREVIOUS_VERSION, BOOKMARK, deploySite, NEW_VERSION } from '../../../support/deployment.ts';

const ALTERNATING = /watched {5}\d+ s only: a visitor gets both versions in turn/;

describe('Gradual deployment', () => {
  test('a deployment records the way back, migrates before any code, and shifts the traffic gradually', async () => {
    const { code, did: commands, said: output, split, notes } = await deploySite();
    expect(code).toBe(0);
    expect(commands).toEqual([
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
    expect(output).toContain(`npx wrangler rollback ${PREVIOUS_VERSION}`);
    expect(output).toContain(`npx wrangler d1 time-travel restore DB --bookmark=${BOOKMARK}`);
  });

  test('a deployment gives no traffic to a version that fails its smoke test', async () => {
    const { code, did: commands, split } = await deploySite({ freshHealth: 503 });
    expect(code).toMatch(/The new version failed \(\/api\/health answered 503\)/);
    expect(split).toEqual({ [PREVIOUS_VERSION]: 100 });
    expect(commands).not.toContain(`versions deploy ${NEW_VERSION}@100%`);
  });

  test('a deployment rolls back when the version fails with all traffic', async () => {
    const { code, did: commands, split } = await deploySite({ freshHealth: 500, failsOnceAll: true });
    expect(code).toMatch(/All traffic is back on/);
    expect(commands).toContain(`versions deploy ${NEW_VERSION}@100%`);
    expect(split).toEqual({ [PREVIOUS_VERSION]: 100 });
  });

  test('a deployment ends the watch early when a visitor would get both versions in turn', async () => {
    const { code, said: output, split } = await deploySite({ byTurns: true });
    expect(code).toBe(0);
    expect(output).toMatch(ALTERNATING);
    expect(split).toEqual({ [NEW_VERSION]: 100 });
  });

  test('a deployment judges a version by its own answers, however late the platform gives them', async () => {
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
  ])('a deployment rolls back when only other versions answer: %o', async (site, sentence) => {
    const { code, did: commands, split, asked: requests } = await deploySite(site);
    expect(code).toContain(sentence);
    expect(split).toEqual({ [PREVIOUS_VERSION]: 100 });
    expect(commands).not.toContain(`versions deploy ${NEW_VERSION}@100%`);
    expect(requests.length).toBeLessThan(100);
  });

  test('a deployment requests a rarer version more often, within bounds, to find versions that alternate', async () => {
    const [often, seldom] = [
      await deploySite({ byTurns: true, percent: 50, seldom: 9 }),
      await deploySite({ byTurns: true, percent: 10, seldom: 60 }),
    ];
    for (const { code, said: output } of [often, seldom]) {
      expect(code).toBe(0);
      expect(output).toMatch(ALTERNATING);
    }
    const visits = [];
    for (const percent of [50, 10, 1]) {
      const { asked: requests, said: output } = await deploySite({ percent });
      expect(output).toContain('watched     30 s');
      visits.push(requests.filter((address) => address.includes('/_astro/')).length);
    }
    // Once immediately, and once after each of three pauses.
    expect(visits).toEqual([40, 264, 1400]);
  });

  test.each([30, 66, 100, 200])(
    'a deployment finds versions that alternate when the share takes effect %i answers late',
    async (shareLag) => {
      const { code, said: output, split } = await deploySite({ byTurns: true, shareLag });
      expect(code).toBe(0);
      expect(output).toMatch(ALTERNATING);
      expect(split).toEqual({ [NEW_VERSION]: 100 });
    },
  );

  test.each([{ shareLag: 0 }, { shareLag: 30 }, { shareLag: 100 }, { losesFiles: 1 }, { losesFiles: 5 }])(
    'a deployment is watched to the end when a visitor keeps the new version: %o',
    async (site) => {
      const { code, said: output } = await deploySite({ keepsFresh: true, ...site });
      expect(code).toBe(0);
      expect(output).toContain('watched     30 s\n');
    },
  );

  test('a deployment continues when one request of the watch is lost', async () => {
    const lost = await deploySite({ loses: 1 });
    expect(lost.code).toBe(0);
    expect(lost.split).toEqual({ [NEW_VERSION]: 100 });
    const { code, split } = await deploySite({ loses: 1000 });
    expect(code).toContain('The new version failed (/api/health answered nothing)');
    expect(split).toEqual({ [PREVIOUS_VERSION]: 100 });
  });

  test('a deployment to a new domain tests the site at its old domain, and at the new one in the end', async () => {
    const {
      code,
      did: commands,
      said: output,
      split,
      asked: requests,
    } = await deploySite({ address: 'https://talk.example' });
    expect(code).toBe(0);
    expect(split).toEqual({ [NEW_VERSION]: 100 });
    expect(output).toContain('domain      https://talk.example until everybody gets the new version');
    expect(commands.at(-1)).toBe('triggers deploy');
    const hosts = requests.map((address) => address.split('/')[0]);
    expect(hosts[0]).toBe('talk.example');
    expect(hosts.at(-1)).toBe('chat.example');
    expect(hosts.lastIndexOf('talk.example')).toBeLessThan(hosts.indexOf('chat.example'));
    const failing = await deploySite({ address: 'https://talk.example', freshHealth: 503 });
    expect(failing.split).toEqual({ [PREVIOUS_VERSION]: 100 });
    expect(failing.did).not.toContain('triggers deploy');
  });

  test('a deployment is not gradual the first time and when the classes of objects change', async () => {
    // A Worker that wrangler created for a secret has a version but no site.
    for (const site of [{ now: null }, { isDraft: true }, { pendingClasses: true }]) {
      const { code, did: commands, split } = await deploySite(site);
      expect(code).toBe(0);
      expect(commands).toContain('deploy');
      expect(commands.indexOf('d1 migrations apply DB --remote')).toBeLessThan(commands.indexOf('deploy'));
      expect(split).toEqual({ [NEW_VERSION]: 100 });
    }
  });

  test('a deployment waits for a new domain, also when a secret was set before the first deployment', async () => {
    for (const site of [{ now: null }, { isDraft: true }]) {
      const { code, said: output, did: commands } = await deploySite({ ...site, appearsAfter: 20 });
      expect(code).toBe(0);
      expect(output).toContain('version none yet');
      expect(output).not.toContain('rollback');
      expect(commands).not.toContain('versions upload');
    }
  });

  test('a deployment explains how to enable Analytics Engine when the upload is rejected for it', async () => {
    const { code } = await deploySite({ now: null, uploadFails: 'You need to enable it. [code: 10089]' });
    expect(code).toMatch(/\[code: 10089\]\nEnable Analytics Engine once for the account/);
  });

  test.each([
    ['versions view', 'Reading the site’s address failed'],
    ['d1 time-travel', 'Nothing was changed: '],
    ['d1 migrations apply', 'Migrating the database failed'],
    ['versions deploy', 'Shifting the traffic failed'],
  ])('a deployment stops when «%s» fails, and leaves the traffic as it was', async (refuses, sentence) => {
    const { code, did: commands, split } = await deploySite({ refuses });
    expect(code).toContain(sentence);
    expect(split).toEqual({ [PREVIOUS_VERSION]: 100 });
    if (refuses !== 'versions deploy') expect(commands).not.toContain('versions upload');
  });

  test('a deployment prints the command that sets routes and crons when setting them failed', async () => {
    const { code, split } = await deploySite({ refuses: 'triggers deploy' });
    expect(code).toContain('setting its routes and crons failed: An unexpected error occurred.');
    expect(code).toContain('npx wrangler triggers deploy --config built.json');
    expect(split).toEqual({ [NEW_VERSION]: 100 });
  });

  test('a deployment reaches a site behind Access with the service token in the shell', async () => {
    const letsIn = { 'cf-access-client-id': 'ours.access', 'cf-access-client-secret': 'secret-of-access' };
    const shell = { CF_ACCESS_CLIENT_ID: 'ours.access', CF_ACCESS_CLIENT_SECRET: 'secret-of-access' };
    const { code, said: output, split } = await deploySite({ letsIn, shell });
    expect(code).toBe(0);
    expect(split).toEqual({ [NEW_VERSION]: 100 });
    expect(output).not.toContain('secret-of-access');
    const without = await deploySite({ letsIn });
    expect(without.code).toMatch(/\/api\/health is behind Zero Trust Access.*CF_ACCESS_CLIENT_ID/);
    expect(without.split).toEqual({ [PREVIOUS_VERSION]: 100 });
    for (const half of Object.entries(shell))
      expect(() => readAccessHeaders(Object.fromEntries([half]))).toThrow(/^CF_ACCESS_CLIENT_\w+ is missing/);
  });

  test('a deployment sends the token to the site only and follows no redirect', async () => {
    const requests: RequestInit[] = [];
    const ask = async (_: string, how: RequestInit) => {
      requests.push(how);
      return new Response('{ "ok": true } <html>', { headers: { 'x-version': NEW_VERSION } });
    };
    await deploySite({ ask: ask as unknown as typeof fetch });
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.every(({ redirect }) => redirect === 'manual')).toBe(true);
  });

  test('a deployment does not start while another is in progress', async () => {
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
