import { describe, expect, test } from 'vitest';
import { accessHeaders, planOf, rollOut } from '../../scripts/deploy/rollout.mjs';

const BEFORE = '11111111-1111-4111-8111-111111111111';
const FRESH = '22222222-2222-4222-8222-222222222222';
const BOOKMARK = '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683';

const BY_TURNS = /watched {5}\d+ s and no longer: a visitor meets both versions by turns/;

interface Site {
  /** What answers now; null before the first deployment. */
  now?: string | null;
  /** The new version answers health with this. */
  freshHealth?: number;
  /** It answers so only when everybody meets it. */
  failsOnceAll?: boolean;
  /** wrangler fails where its words begin so. */
  refuses?: string;
  /** One visitor meets both versions by turns. */
  byTurns?: boolean;
  /** New classes of objects. */
  pendingClasses?: boolean;
  /** Others are kept out by Access, which lets this service token in. */
  letsIn?: Record<string, string>;
  /** The operator's shell. */
  shell?: Record<string, string>;
  percent?: number;
  /** For so many answers after each change the platform goes on as it was: what one wishes or shifts holds late. */
  lag?: number;
  /** And for so many once a share is to meet the new version. */
  shareLag?: number;
  /** Where the version that answers now says that the site is. */
  address?: string;
  /** A version that does not say which it is. */
  isMute?: boolean;
  /** Out of so many visits one is to the new version, in place of by turns. */
  seldom?: number;
  /** What answers is the empty Worker that a secret was put into. */
  isDraft?: boolean;
  /** A new domain answers nobody for so many questions. */
  appearsAfter?: number;
  /** One visitor is of those who meet the new version, and keeps it. */
  keepsFresh?: boolean;
  /** So many questions for files get no answer once it has been met. */
  losesFiles?: number;
  /** So many questions get no answer while a share is watched. */
  loses?: number;
  /** Why the platform takes no code. */
  uploadFails?: string;
  /** Answers in place of the site. */
  ask?: typeof fetch;
}

/** A site at Cloudflare, and a checkout that is brought out to it. */
async function bringOut(site: Site = {}) {
  let split = new Map<string, number>(site.now === null ? [] : [[site.now ?? BEFORE, 100]]);
  /** What the platform goes by still, and for how many answers more. */
  let [stale, staleFor] = [split, 0];
  const shiftTo = (shares: Iterable<[string, number]>) => {
    const next = new Map(shares);
    const isShared = next.size > 1 && next.get(FRESH) !== 0;
    [stale, staleFor] = [split, (isShared ? site.shareLag : undefined) ?? site.lag ?? 0];
    split = next;
  };
  const address = site.address ?? 'https://chat.example';
  /** Hosts at which the site is. */
  let hosts = new Set(site.now === null ? [] : [new URL(address).host]);
  const did: string[] = [];
  const said: string[] = [];
  const notes: Record<string, unknown>[] = [];
  const asked: string[] = [];
  /** Shares at which the new version was asked. */
  const met = new Set<number>();
  let turn = 0;
  let unanswered = site.appearsAfter ?? 0;
  let lost = site.loses ?? 0;
  let lostFiles = site.losesFiles ?? 0;
  const ok = (out = '') => ({ code: 0, out, err: '' });
  const failed = (err: string) => ({ code: 1, out: '', err: `✘ [ERROR] ${err}\n` });
  const wrangler = async (args: string[]) => {
    const words = args.join(' ');
    did.push(words.replace(/ --(?:config|toml|env|message) .*$/, '').replace(/ --yes.*$/, ''));
    if (site.refuses !== undefined && words.startsWith(site.refuses))
      return failed('An unexpected error occurred.');
    if (words.startsWith('deployments status'))
      return split.size === 0
        ? failed('The Worker loreloom-production has no deployments.')
        : ok(
            JSON.stringify({
              versions: [...split].map(([version_id, percentage]) => ({ version_id, percentage })),
            }),
          );
    if (words.startsWith('versions view'))
      return ok(
        JSON.stringify({
          resources:
            site.isDraft === true
              ? { bindings: [{ type: 'secret_text', name: 'AUTH_SECRET' }] }
              : { bindings: [{ type: 'plain_text', name: 'SITE_URL', text: address }] },
        }),
      );
    if (words.startsWith('triggers deploy')) hosts = new Set(['chat.example']);
    if (words.startsWith('d1 time-travel')) return ok(JSON.stringify({ bookmark: BOOKMARK }));
    if (words.startsWith('versions deploy'))
      shiftTo(
        args
          .filter((word) => word.includes('@'))
          .map((word) => word.split('@'))
          .map(([version = '', percent = '']) => [version, Number.parseInt(percent, 10)] as [string, number]),
      );
    return ok();
  };
  const upload = async (args: string[]) => {
    did.push(args.slice(0, args[0] === 'deploy' ? 1 : 2).join(' '));
    if (site.uploadFails !== undefined) return { said: failed(site.uploadFails), told: [] };
    if (args[0] === 'versions' && site.pendingClasses === true)
      return {
        said: failed(
          'This Worker has a pending Durable Object migration, which cannot be applied by `wrangler versions upload`.',
        ),
        told: [],
      };
    if (args[0] === 'deploy') {
      shiftTo([[FRESH, 100]]);
      hosts = new Set(['chat.example']);
    }
    const type = args[0] === 'deploy' ? 'deploy' : 'version-upload';
    return { said: ok(), told: [{ type, version_id: FRESH }] };
  };
  const ask = async (url: string, { headers }: { headers: Record<string, string> }) => {
    const { host, pathname } = new URL(url);
    asked.push(host + pathname);
    if (!hosts.has(host)) throw new TypeError('fetch failed');
    if (split.get(FRESH) === 100 && unanswered > 0) {
      unanswered -= 1;
      throw new TypeError('fetch failed');
    }
    if (split.get(FRESH) === (site.percent ?? 10) && pathname === '/api/health' && lost > 0) {
      lost -= 1;
      throw new TypeError('fetch failed');
    }
    const isLetIn = Object.entries(site.letsIn ?? {}).every(([name, value]) => headers[name] === value);
    if (!isLetIn)
      return new Response(null, {
        status: 302,
        headers: { location: 'https://ours.cloudflareaccess.com/cdn-cgi/access/login/chat.example' },
      });
    const wished = /="([^"]+)"/.exec(headers['cloudflare-workers-version-overrides'] ?? '')?.[1];
    const shown = staleFor > 0 && stale.size > 0 ? stale : split;
    staleFor -= 1;
    const isKept = site.keepsFresh === true && (shown.get(FRESH) ?? 0) > 0;
    const byShare = isKept ? FRESH : [...shown].sort(([, one], [, other]) => other - one)[0]?.[0];
    turn += 1;
    const version =
      wished !== undefined && shown.has(wished)
        ? wished
        : site.byTurns === true && shown.size > 1
          ? turn % (site.seldom ?? 2) === 0
            ? FRESH
            : BEFORE
          : byShare;
    const isFresh = version === FRESH;
    if (isFresh) met.add(Object.fromEntries(shown)[FRESH] ?? 0);
    const told: Record<string, string> = site.isMute === true ? {} : { 'x-version': version ?? '' };
    if (pathname.startsWith('/_astro/') && met.has(site.percent ?? 10) && lostFiles > 0) {
      lostFiles -= 1;
      throw new TypeError('fetch failed');
    }
    if (pathname.startsWith('/_astro/')) return new Response('', { status: isFresh ? 200 : 404 });
    if (pathname === '/en')
      return new Response(
        `<html lang="en"><script src="/_astro/page.${isFresh ? 'new' : 'old'}.js"></script>`,
        { headers: told },
      );
    const fails = isFresh && (site.failsOnceAll !== true || split.get(FRESH) === 100);
    const status = fails ? (site.freshHealth ?? 200) : 200;
    return new Response('{ "ok": true, "version": "0.1.0" }', { status, headers: told });
  };
  const code = await rollOut({
    ...{ env: 'production', name: 'loreloom-production', siteUrl: 'https://chat.example' },
    ...{ config: 'built.json', toml: 'wrangler.toml', percent: site.percent ?? 10, watchSeconds: 30 },
    ...{ atOnce: false, message: 'abc1234', wrangler, upload, access: accessHeaders(site.shell ?? {}) },
    ask: site.ask ?? (ask as unknown as typeof fetch),
    wait: () => Promise.resolve(),
    say: (text: string) => void said.push(text),
    note: (line: Record<string, unknown>) => void notes.push(line),
  }).catch((error: unknown) => (error as Error).message);
  return { code, did, said: said.join('\n'), split: Object.fromEntries(split), notes, asked, met };
}

describe('Bringing out a new version', () => {
  test('notes the way back, migrates before any code, and lets people meet it by and by', async () => {
    const { code, did, said, split, notes } = await bringOut();
    expect(code).toBe(0);
    expect(did).toEqual([
      'deployments status --json',
      `versions view ${BEFORE} --json`,
      'd1 time-travel info DB --json',
      'd1 migrations apply DB --remote',
      'versions upload',
      `versions deploy ${BEFORE}@100% ${FRESH}@0%`,
      `versions deploy ${BEFORE}@90% ${FRESH}@10%`,
      `versions deploy ${FRESH}@100%`,
      'triggers deploy',
    ]);
    expect(split).toEqual({ [FRESH]: 100 });
    expect(notes[0]).toMatchObject({ before: BEFORE, bookmark: BOOKMARK });
    expect(said).toContain(`npx wrangler rollback ${BEFORE}`);
    expect(said).toContain(`npx wrangler d1 time-travel restore DB --bookmark=${BOOKMARK}`);
  });

  test('that does not answer is met by nobody: everybody stays on the one before', async () => {
    const { code, did, split } = await bringOut({ freshHealth: 503 });
    expect(code).toMatch(/The new version failed \(\/api\/health answered 503\)/);
    expect(split).toEqual({ [BEFORE]: 100 });
    expect(did).not.toContain(`versions deploy ${FRESH}@100%`);
  });

  test('that fails once everybody meets it is taken back at once', async () => {
    const { code, did, split } = await bringOut({ freshHealth: 500, failsOnceAll: true });
    expect(code).toMatch(/Everybody is on .* again/);
    expect(did).toContain(`versions deploy ${FRESH}@100%`);
    expect(split).toEqual({ [BEFORE]: 100 });
  });

  test('stays with a tenth no longer than needed where a visitor would meet both by turns', async () => {
    const { code, said, split } = await bringOut({ byTurns: true });
    expect(code).toBe(0);
    expect(said).toMatch(BY_TURNS);
    expect(split).toEqual({ [FRESH]: 100 });
  });

  test('is judged by its own answers alone, however late the platform gives them', async () => {
    const late = await bringOut({ lag: 8 });
    expect(late.code).toBe(0);
    expect([...late.met].sort()).toEqual([0, 10, 100]);
    const failing = await bringOut({ lag: 8, freshHealth: 503 });
    expect(failing.code).toMatch(/The new version failed \(\/api\/health answered 503\)/);
    expect(failing.split).toEqual({ [BEFORE]: 100 });
    const failingOnceAll = await bringOut({ lag: 8, freshHealth: 500, failsOnceAll: true });
    expect(failingOnceAll.code).toMatch(/The new version failed \(\/api\/health answered 500\)/);
    expect(failingOnceAll.split).toEqual({ [BEFORE]: 100 });
  });

  test.each([
    [{ lag: 1000 }, `/api/health was answered by ${BEFORE}, not by ${FRESH}`],
    [
      { isMute: true },
      `/api/health was answered by a version that does not say which it is, not by ${FRESH}`,
    ],
  ])('goes back where only others answer in its place: %o', async (site, sentence) => {
    const { code, did, split, asked } = await bringOut(site);
    expect(code).toContain(sentence);
    expect(split).toEqual({ [BEFORE]: 100 });
    expect(did).not.toContain(`versions deploy ${FRESH}@100%`);
    expect(asked.length).toBeLessThan(100);
  });

  test('is found to come by turns at the rarest: a smaller share is asked more often, within bounds', async () => {
    const [often, seldom] = [
      await bringOut({ byTurns: true, percent: 50, seldom: 9 }),
      await bringOut({ byTurns: true, percent: 10, seldom: 60 }),
    ];
    for (const { code, said } of [often, seldom]) {
      expect(code).toBe(0);
      expect(said).toMatch(BY_TURNS);
    }
    const visits = [];
    for (const percent of [50, 10, 1]) {
      const { asked, said } = await bringOut({ percent });
      expect(said).toContain('watched     30 s');
      visits.push(asked.filter((address) => address.includes('/_astro/')).length);
    }
    // At once, and after each of three pauses.
    expect(visits).toEqual([40, 264, 1400]);
  });

  test.each([30, 66, 100, 200])(
    'is found to come by turns where the share holds %i answers late',
    async (shareLag) => {
      const { code, said, split } = await bringOut({ byTurns: true, shareLag });
      expect(code).toBe(0);
      expect(said).toMatch(BY_TURNS);
      expect(split).toEqual({ [FRESH]: 100 });
    },
  );

  test.each([{ shareLag: 0 }, { shareLag: 30 }, { shareLag: 100 }, { losesFiles: 1 }, { losesFiles: 5 }])(
    'is watched to the end where a visitor keeps the new version, however late they come to it: %o',
    async (site) => {
      const { code, said } = await bringOut({ keepsFresh: true, ...site });
      expect(code).toBe(0);
      expect(said).toContain('watched     30 s\n');
    },
  );

  test('goes on where one question of the watch is lost on its way', async () => {
    const lost = await bringOut({ loses: 1 });
    expect(lost.code).toBe(0);
    expect(lost.split).toEqual({ [FRESH]: 100 });
    const { code, split } = await bringOut({ loses: 1000 });
    expect(code).toContain('The new version failed (/api/health answered nothing)');
    expect(split).toEqual({ [BEFORE]: 100 });
  });

  test('moves the site to another domain: it is asked where it still is, and at the new one in the end', async () => {
    const { code, did, said, split, asked } = await bringOut({ address: 'https://talk.example' });
    expect(code).toBe(0);
    expect(split).toEqual({ [FRESH]: 100 });
    expect(said).toContain('domain      https://talk.example until everybody meets the new version');
    expect(did.at(-1)).toBe('triggers deploy');
    const hosts = asked.map((address) => address.split('/')[0]);
    expect(hosts[0]).toBe('talk.example');
    expect(hosts.at(-1)).toBe('chat.example');
    expect(hosts.lastIndexOf('talk.example')).toBeLessThan(hosts.indexOf('chat.example'));
    const failing = await bringOut({ address: 'https://talk.example', freshHealth: 503 });
    expect(failing.split).toEqual({ [BEFORE]: 100 });
    expect(failing.did).not.toContain('triggers deploy');
  });

  test('goes at once the first time, and where the objects’ classes change', async () => {
    // Of a Worker that wrangler made for a secret there is a version, and no site.
    for (const site of [{ now: null }, { isDraft: true }, { pendingClasses: true }]) {
      const { code, did, split } = await bringOut(site);
      expect(code).toBe(0);
      expect(did).toContain('deploy');
      expect(did.indexOf('d1 migrations apply DB --remote')).toBeLessThan(did.indexOf('deploy'));
      expect(split).toEqual({ [FRESH]: 100 });
    }
  });

  test('is waited for as a new domain needs it, also where a secret was put before anything was there', async () => {
    for (const site of [{ now: null }, { isDraft: true }]) {
      const { code, said, did } = await bringOut({ ...site, appearsAfter: 20 });
      expect(code).toBe(0);
      expect(said).toContain('version none yet');
      expect(said).not.toContain('rollback');
      expect(did).not.toContain('versions upload');
    }
  });

  test('that is refused for Analytics Engine says where that is opened', async () => {
    const { code } = await bringOut({ now: null, uploadFails: 'You need to enable it. [code: 10089]' });
    expect(code).toMatch(/\[code: 10089\]\nAnalytics Engine is opened once for an account/);
  });

  test.each([
    ['versions view', 'Asking where the site is now did not work'],
    ['d1 time-travel', 'nothing was changed'],
    ['d1 migrations apply', 'Migrating the database did not work'],
    ['versions deploy', 'Shifting the traffic did not work'],
  ])('stops where %s fails, and nobody meets anything new', async (refuses, sentence) => {
    const { code, did, split } = await bringOut({ refuses });
    expect(code).toContain(sentence);
    expect(split).toEqual({ [BEFORE]: 100 });
    if (refuses !== 'versions deploy') expect(did).not.toContain('versions upload');
  });

  test('that everybody meets without its addresses and times ends with the command that sets them', async () => {
    const { code, split } = await bringOut({ refuses: 'triggers deploy' });
    expect(code).toContain('setting addresses and times did not work: An unexpected error occurred.');
    expect(code).toContain('npx wrangler triggers deploy --config built.json');
    expect(split).toEqual({ [FRESH]: 100 });
  });

  test('goes by and by to a site behind Access too, with its service token from my shell', async () => {
    const letsIn = { 'cf-access-client-id': 'ours.access', 'cf-access-client-secret': 'secret-of-access' };
    const shell = { CF_ACCESS_CLIENT_ID: 'ours.access', CF_ACCESS_CLIENT_SECRET: 'secret-of-access' };
    const { code, said, split } = await bringOut({ letsIn, shell });
    expect(code).toBe(0);
    expect(split).toEqual({ [FRESH]: 100 });
    expect(said).not.toContain('secret-of-access');
    const without = await bringOut({ letsIn });
    expect(without.code).toMatch(/\/api\/health is behind Zero Trust Access.*CF_ACCESS_CLIENT_ID/);
    expect(without.split).toEqual({ [BEFORE]: 100 });
    for (const half of Object.entries(shell))
      expect(() => accessHeaders(Object.fromEntries([half]))).toThrow(/^CF_ACCESS_CLIENT_\w+ is missing/);
  });

  test('sends the token to the site alone, wherever the site would send it on', async () => {
    const asked: RequestInit[] = [];
    const ask = async (_: string, how: RequestInit) => {
      asked.push(how);
      return new Response('{ "ok": true } <html>', { headers: { 'x-version': FRESH } });
    };
    await bringOut({ ask: ask as unknown as typeof fetch });
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every(({ redirect }) => redirect === 'manual')).toBe(true);
  });

  test('is not begun while another is under way', async () => {
    const first = await bringOut({ percent: 0 });
    expect(first.did).not.toContain(`versions deploy ${BEFORE}@90% ${FRESH}@10%`);
    const answer = await rollOut({
      wrangler: () =>
        Promise.resolve({
          code: 0,
          out: JSON.stringify({
            versions: [
              { version_id: BEFORE, percentage: 90 },
              { version_id: FRESH, percentage: 10 },
            ],
          }),
          err: '',
        }),
      config: 'built.json',
    } as never).catch((error: unknown) => (error as Error).message);
    expect(answer).toMatch(/A gradual deployment is under way/);
  });

  test('can be read beforehand as the words that it types, in the same order', async () => {
    const plan = planOf({
      ...{ config: 'built.json', toml: 'wrangler.toml', env: 'production', percent: 10 },
      siteUrl: 'https://chat.example',
    });
    const { did } = await bringOut();
    const verbs = plan
      .filter((step) => step.startsWith('wrangler'))
      .map((step) => step.split(' ').slice(1, 3).join(' '));
    expect(verbs).toEqual(did.map((step) => step.split(' ').slice(0, 2).join(' ')));
  });
});
