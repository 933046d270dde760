import { readAccessHeaders, rollOut } from '../../scripts/deploy/rollout.mjs';

export const PREVIOUS_VERSION = '11111111-1111-4111-8111-111111111111';
export const NEW_VERSION = '22222222-2222-4222-8222-222222222222';
export const BOOKMARK = '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683';

interface DeploymentOptions {
  /** The deployed version; null before the first deployment. */
  now?: string | null;
  /** The health status of the new version. */
  freshHealth?: number;
  /** The new version fails only once it has all traffic. */
  failsOnceAll?: boolean;
  /** Wrangler fails on commands that begin with this. */
  refuses?: string;
  /** The same visitor meets both versions in turn. */
  byTurns?: boolean;
  /** New Durable Object classes. */
  pendingClasses?: boolean;
  /** Access blocks the site, except for this service token. */
  letsIn?: Record<string, string>;
  /** The operator's environment variables. */
  shell?: Record<string, string>;
  percent?: number;
  /** Changes take effect only after this many requests. */
  lag?: number;
  /** The first traffic split takes effect only after this many requests. */
  shareLag?: number;
  /** The site address that the deployed version reports. */
  address?: string;
  /** The new version does not report its id. */
  isMute?: boolean;
  /** One of this many visits meets the new version, instead of every other one. */
  seldom?: number;
  /** The deployed version is the empty Worker that was created for a secret. */
  isDraft?: boolean;
  /** A new domain answers only after this many requests. */
  appearsAfter?: number;
  /** A visitor of the new version keeps meeting it. */
  keepsFresh?: boolean;
  /** This many requests for files fail after the first visit of the new version. */
  losesFiles?: number;
  /** This many requests fail while a traffic share is watched. */
  loses?: number;
  /** The error of an upload. */
  uploadFails?: string;
  /** Replaces the site's answers. */
  ask?: typeof fetch;
}

/** Deploys a checkout to a simulated site at Cloudflare. */
export async function deploySite(site: DeploymentOptions = {}) {
  let split = new Map<string, number>(site.now === null ? [] : [[site.now ?? PREVIOUS_VERSION, 100]]);
  /** The old traffic split that is still in effect, and for how many requests. */
  let [stale, staleFor] = [split, 0];
  const shiftTo = (shares: Iterable<[string, number]>) => {
    const next = new Map(shares);
    const isShared = next.size > 1 && next.get(NEW_VERSION) !== 0;
    [stale, staleFor] = [split, (isShared ? site.shareLag : undefined) ?? site.lag ?? 0];
    split = next;
  };
  const address = site.address ?? 'https://chat.example';
  /** Hosts that serve the site. */
  let hosts = new Set(site.now === null ? [] : [new URL(address).host]);
  const did: string[] = [];
  const said: string[] = [];
  const notes: Record<string, unknown>[] = [];
  const asked: string[] = [];
  /** Traffic shares at which the new version was requested. */
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
    if (site.uploadFails !== undefined) return { result: failed(site.uploadFails), events: [] };
    if (args[0] === 'versions' && site.pendingClasses === true)
      return {
        result: failed(
          'This Worker has a pending Durable Object migration, which cannot be applied by `wrangler versions upload`.',
        ),
        events: [],
      };
    if (args[0] === 'deploy') {
      shiftTo([[NEW_VERSION, 100]]);
      hosts = new Set(['chat.example']);
    }
    const type = args[0] === 'deploy' ? 'deploy' : 'version-upload';
    return { result: ok(), events: [{ type, version_id: NEW_VERSION }] };
  };
  const ask = async (url: string, { headers }: { headers: Record<string, string> }) => {
    const { host, pathname } = new URL(url);
    asked.push(host + pathname);
    if (!hosts.has(host)) throw new TypeError('fetch failed');
    if (split.get(NEW_VERSION) === 100 && unanswered > 0) {
      unanswered -= 1;
      throw new TypeError('fetch failed');
    }
    if (split.get(NEW_VERSION) === (site.percent ?? 10) && pathname === '/api/health' && lost > 0) {
      lost -= 1;
      throw new TypeError('fetch failed');
    }
    const isLetIn = Object.entries(site.letsIn ?? {}).every(([name, value]) => headers[name] === value);
    if (!isLetIn)
      return new Response(null, {
        status: 302,
        headers: { location: 'https://ours.cloudflareaccess.com/cdn-cgi/access/login/chat.example' },
      });
    const requestedVersion = /="([^"]+)"/.exec(headers['cloudflare-workers-version-overrides'] ?? '')?.[1];
    const shown = staleFor > 0 && stale.size > 0 ? stale : split;
    staleFor -= 1;
    const isKept = site.keepsFresh === true && (shown.get(NEW_VERSION) ?? 0) > 0;
    const byShare = isKept ? NEW_VERSION : [...shown].sort(([, one], [, other]) => other - one)[0]?.[0];
    turn += 1;
    const version =
      requestedVersion !== undefined && shown.has(requestedVersion)
        ? requestedVersion
        : site.byTurns === true && shown.size > 1
          ? turn % (site.seldom ?? 2) === 0
            ? NEW_VERSION
            : PREVIOUS_VERSION
          : byShare;
    const isFresh = version === NEW_VERSION;
    if (isFresh) met.add(Object.fromEntries(shown)[NEW_VERSION] ?? 0);
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
    const fails = isFresh && (site.failsOnceAll !== true || split.get(NEW_VERSION) === 100);
    const status = fails ? (site.freshHealth ?? 200) : 200;
    return new Response('{ "ok": true, "version": "0.1.0" }', { status, headers: told });
  };
  const code = await rollOut({
    ...{ env: 'production', name: 'loreloom-production', siteUrl: 'https://chat.example' },
    ...{ config: 'built.json', toml: 'wrangler.toml', percent: site.percent ?? 10, watchSeconds: 30 },
    ...{ atOnce: false, message: 'abc1234', wrangler, upload, access: readAccessHeaders(site.shell ?? {}) },
    fetch: site.ask ?? (ask as unknown as typeof fetch),
    wait: () => Promise.resolve(),
    say: (text: string) => void said.push(text),
    record: (line: Record<string, unknown>) => void notes.push(line),
  }).catch((error: unknown) => (error as Error).message);
  return { code, did, said: said.join('\n'), split: Object.fromEntries(split), notes, asked, met };
}
