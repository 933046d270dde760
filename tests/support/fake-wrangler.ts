import type { Result, Wrangler } from '../../scripts/deploy/wrangler.mjs';
import type { CloudflareAccount } from './cloudflare-server.ts';

/** An empty Cloudflare account. */
export const createEmptyAccount = (): CloudflareAccount => ({
  ...{ databases: [], namespaces: [], buckets: [], workers: new Map(), senders: new Map() },
  ...{ zones: [{ id: 'zone-of-chat-example', name: 'chat.example' }], breaksAt: null, changes: [] },
});

const ok = (out: string): Result => ({ code: 0, out, err: '' });
const createErrorOutput = (message: string): Result => ({
  code: 1,
  out: '\n',
  err: `✘ [ERROR] ${message}\n\n\n🪵  Logs were written to "/home/me/.config/.wrangler/logs/wrangler.log"\n`,
});
const createJsonOutput = (value: unknown): Result => ok(`${JSON.stringify(value, null, 2)}\n`);

/**
 * Wrangler 4.155's answers over an account in memory, without the seconds that each start takes.
 * `tests/unit/scripts/deploy/setup-by-wrangler.test.ts` compares it with wrangler itself.
 * @param breaks the nth changing command fails as with a server error
 */
export function createFakeWrangler(
  account: CloudflareAccount,
  breaks?: number,
): Wrangler & { calls: string[] } {
  const calls: string[] = [];
  let made = 0;
  let changes = 0;
  const change = (what: string): boolean => {
    changes += 1;
    if (changes === breaks) return false;
    account.changes.push(what);
    return true;
  };
  const server = createErrorOutput(
    'A request to the Cloudflare API (/accounts/acc) failed.\n\n  An unexpected error occurred. [code: 10000]',
  );

  function say(args: string[], input: string): Result {
    const env = args.includes('--env') ? args[args.indexOf('--env') + 1] : undefined;
    const worker = `loreloom-${env}`;
    const [one, two, three, four] = args;
    switch (`${one} ${two} ${three}`.replace(/ (?:--.*|undefined)$/, '')) {
      case 'whoami':
      case 'whoami --json':
        if (account.isForeign) return { code: 1, out: '\n{"loggedIn":false}\n', err: '' };
        return createJsonOutput({
          loggedIn: true,
          email: 'operator@chat.example',
          accounts: [{ id: 'acc', name: 'Ours' }],
        });
      case 'd1 list':
        return createJsonOutput(account.databases);
      case `d1 create ${three}`: {
        if (!change(`database ${three}`)) return server;
        account.databases.push({ uuid: `11111111-1111-4111-8111-00000000000${++made}`, name: three ?? '' });
        return ok(`✅ Successfully created DB '${three}'\nCreated your new D1 database.\n`);
      }
      case 'kv namespace list':
        return createJsonOutput(account.namespaces);
      case 'kv namespace create': {
        const title = env === undefined ? (four ?? '') : `${env}-${four}`;
        if (!change(`namespace ${title}`)) return server;
        account.namespaces.push({ id: `${++made}`.padStart(32, 'a'), title });
        return ok(`Resource location: remote \n\n🌀 Creating namespace with title "${title}"\n✨ Success!\n`);
      }
      case 'r2 bucket info':
        return account.buckets.includes(four ?? '')
          ? createJsonOutput({ name: four })
          : createErrorOutput(
              'A request to the Cloudflare API (/accounts/acc/r2/buckets/x) failed.\n\n  The specified bucket does not exist. [code: 10006]',
            );
      case 'r2 bucket create':
        if (!change(`bucket ${four}`)) return server;
        account.buckets.push(four ?? '');
        return ok(
          `Creating bucket '${four}'...\n✅ Created bucket '${four}' with default storage class of Standard.\n`,
        );
      case 'secret list': {
        const secrets = account.workers.get(worker);
        return secrets === undefined
          ? createErrorOutput(
              `Worker "${worker}" (env: ${env}) not found.\n\nIf this is a new Worker, run \`wrangler deploy\` first to create it.`,
            )
          : createJsonOutput([...secrets.keys()].map((name) => ({ name, type: 'secret_text' })));
      }
      case `secret put ${three}`: {
        if (account.newestReturnsNull === true)
          return createErrorOutput(
            "Secret edit failed. You attempted to modify a secret, but the latest version of your Worker isn't currently deployed.\n  This limitation exists to prevent accidental deployment when using Worker versions and secrets together.\n  To resolve this, you have two options:\n  (1) use the `wrangler versions secret put` instead, which allows you to update secrets without deploying; or\n  (2) deploy the latest version first, then modify secrets.\n  Alternatively, you can use the Cloudflare dashboard to modify secrets and deploy the version.",
          );
        if (!change(`secret ${three} of ${worker}`)) return server;
        const secrets = account.workers.get(worker) ?? new Map<string, string>();
        secrets.set(three ?? '', input);
        account.workers.set(worker, secrets);
        return ok(
          `🌀 Creating the secret for the Worker "${worker}" \n✨ Success! Uploaded secret ${three}\n`,
        );
      }
      case 'versions secret put':
        if (!change(`secret ${four} of the newest ${worker}`)) return server;
        account.workers.get(worker)?.set(four ?? '', input);
        return ok(`✨ Success! Created version 33333333-3333-4333-8333-333333333333 with secret ${four}.\n`);
      case `secret delete ${three}`:
        if (!change(`no secret ${three} of ${worker}`)) return server;
        account.workers.get(worker)?.delete(three ?? '');
        return ok(`✨ Success! Deleted secret ${three}\n`);
      case 'email sending settings':
        return account.senders.has(four ?? '')
          ? ok(`Email Sending for ${four}:\n  Enabled:            true\n`)
          : createErrorOutput(`No sending subdomain found for ${four}.`);
      case 'email sending enable':
        if (!account.zones.some(({ name }) => name === four))
          return createErrorOutput(
            `Could not find a zone for "${four}". Make sure the domain exists in your account.`,
          );
        if (!change(`sender ${four}`)) return server;
        account.senders.set(four ?? '', 'tag');
        return ok(`Email Sending enabled for ${four} (enabled: true)\n`);
      default:
        return createErrorOutput(`Unknown arguments: ${args.join(', ')}`);
    }
  }
  const wrangler = async (args: string[], options: { input?: string } = {}): Promise<Result> => {
    calls.push(args.join(' '));
    return say(args, options.input ?? '');
  };
  return Object.assign(wrangler, { calls });
}
