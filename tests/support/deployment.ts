import { readAccessHeaders, rollOut } from '../../scripts/deploy/rollout.mjs';

export const PREVIOUS_VERSION = '11111111-1111-4111-8111-111111111111';
export const NEW_VERSION = '22222222-2222-4222-8222-222222222222';
export const BOOKMARK = '00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683';

interface DeploymentOptions {
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
export async function deploySite(site: DeploymentOptions = {}) {
  let split = new Map<string, number>(site.now === null ? [] : [[site.now ?? PREVIOUS_VERSION, 100]]);
  /** What the platform goes by still, and for how many answers more. */
  let [stale, staleFor] = [split, 0];
  const shiftTo = (shares: Iterable<[string, number]>) => {
    const next = new Map(shares);
    const isShared = next.size > 1 && next.get(NEW_VERSION) !== 0;
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
