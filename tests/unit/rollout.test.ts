import { describe, expect, test } from 'vitest';
import { accessHeaders, planOf, rollOut } from '../../scripts/deploy/rollout.mjs';

const BEFORE = '11111111-1111-4111-8111-111111111111';
const FRESH = '22222222-2222-4222-8222-222222222222';
const BOOKMARK = '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683';

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
  /** Answers in place of the site. */
  ask?: typeof fetch;
}

/** A site at Cloudflare, and a checkout that is brought out to it. */
async function bringOut(site: Site = {}) {
  let split = new Map<string, number>(site.now === null ? [] : [[site.now ?? BEFORE, 100]]);
  const did: string[] = [];
  const said: string[] = [];
  const notes: Record<string, unknown>[] = [];
  let turn = 0;
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
    if (words.startsWith('d1 time-travel')) return ok(JSON.stringify({ bookmark: BOOKMARK }));
    if (words.startsWith('versions deploy'))
      split = new Map(
        args
          .filter((word) => word.includes('@'))
          .map((word) => word.split('@'))
          .map(([version = '', percent = '']) => [version, Number.parseInt(percent, 10)]),
      );
    return ok();
  };
  const upload = async (args: string[]) => {
    did.push(args.slice(0, args[0] === 'deploy' ? 1 : 2).join(' '));
    if (args[0] === 'versions' && site.pendingClasses === true)
      return {
        said: failed(
          'This Worker has a pending Durable Object migration, which cannot be applied by `wrangler versions upload`.',
        ),
        told: [],
      };
    if (args[0] === 'deploy') split = new Map([[FRESH, 100]]);
    const type = args[0] === 'deploy' ? 'deploy' : 'version-upload';
    return { said: ok(), told: [{ type, version_id: FRESH }] };
  };
  const ask = async (url: string, { headers }: { headers: Record<string, string> }) => {
    const isLetIn = Object.entries(site.letsIn ?? {}).every(([name, value]) => headers[name] === value);
    if (!isLetIn)
      return new Response(null, {
        status: 302,
        headers: { location: 'https://ours.cloudflareaccess.com/cdn-cgi/access/login/chat.example' },
      });
    const asked = /="([^"]+)"/.exec(headers['cloudflare-workers-version-overrides'] ?? '')?.[1];
    const byShare = [...split].sort(([, one], [, other]) => other - one)[0]?.[0];
    const shares = [...split.keys()];
    turn += 1;
    const version =
      asked !== undefined && split.has(asked)
        ? asked
        : site.byTurns === true
          ? shares[turn % shares.length]
          : byShare;
    const isFresh = version === FRESH;
    const { pathname } = new URL(url);
    if (pathname.startsWith('/_astro/')) return new Response('', { status: isFresh ? 200 : 404 });
    if (pathname === '/en')
      return new Response(
        `<html lang="en"><script src="/_astro/page.${isFresh ? 'new' : 'old'}.js"></script>`,
      );
    const fails = isFresh && (site.failsOnceAll !== true || split.get(FRESH) === 100);
    const status = fails ? (site.freshHealth ?? 200) : 200;
    return new Response('{ "ok": true, "version": "0.1.0" }', { status });
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
  return { code, did, said: said.join('\n'), split: Object.fromEntries(split), notes };
}

describe('Bringing out a new version', () => {
  test('notes the way back, migrates before any code, and lets people meet it by and by', async () => {
    const { code, did, said, split, notes } = await bringOut();
    expect(code).toBe(0);
    expect(did).toEqual([
      'deployments status --json',
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
    expect(said).toContain('watched     not at all');
    expect(split).toEqual({ [FRESH]: 100 });
  });

  test('goes at once the first time, and where the objects’ classes change', async () => {
    for (const site of [{ now: null }, { pendingClasses: true }]) {
      const { code, did, split } = await bringOut(site);
      expect(code).toBe(0);
      expect(did).toContain('deploy');
      expect(did.indexOf('d1 migrations apply DB --remote')).toBeLessThan(did.indexOf('deploy'));
      expect(split).toEqual({ [FRESH]: 100 });
    }
  });

  test.each([
    ['d1 time-travel', 'nothing was changed'],
    ['d1 migrations apply', 'Migrating the database did not work'],
    ['versions deploy', 'Shifting the traffic did not work'],
  ])('stops where %s fails, and nobody meets anything new', async (refuses, sentence) => {
    const { code, did, split } = await bringOut({ refuses });
    expect(code).toContain(sentence);
    expect(split).toEqual({ [BEFORE]: 100 });
    if (refuses !== 'versions deploy') expect(did).not.toContain('versions upload');
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
      return new Response('{ "ok": true } <html>');
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
