import type { Said, Wrangler } from '../../scripts/deploy/wrangler.mjs';
import type { Account } from './cloudflare-server.ts';

/** An account at Cloudflare with nothing in it. */
export const emptyAccount = (): Account => ({
  ...{ databases: [], namespaces: [], buckets: [], workers: new Map(), senders: new Map() },
  ...{ zones: [{ id: 'zone-of-chat-example', name: 'chat.example' }], breaksAt: null, changes: [] },
});

const ok = (out: string): Said => ({ code: 0, out, err: '' });
const failed = (message: string): Said => ({
  code: 1,
  out: '\n',
  err: `✘ [ERROR] ${message}\n\n\n🪵  Logs were written to "/home/me/.config/.wrangler/logs/wrangler.log"\n`,
});
const json = (value: unknown): Said => ok(`${JSON.stringify(value, null, 2)}\n`);

/**
 * Wrangler 4.155 as it answered when it was asked, over an account in memory: the same words, without the seconds that
 * each of its starts takes. `tests/unit/setup-by-wrangler.test.ts` holds against wrangler itself.
 * @param breaks the nth command that changes something fails, as with a server's error
 */
export function wranglerOver(account: Account, breaks?: number): Wrangler & { calls: string[] } {
  const calls: string[] = [];
  let made = 0;
  let changes = 0;
  const change = (what: string): boolean => {
    changes += 1;
    if (changes === breaks) return false;
    account.changes.push(what);
    return true;
  };
  const server = failed(
    'A request to the Cloudflare API (/accounts/acc) failed.\n\n  An unexpected error occurred. [code: 10000]',
  );

  function say(args: string[], input: string): Said {
    const env = args.includes('--env') ? args[args.indexOf('--env') + 1] : undefined;
    const worker = `loreloom-${env}`;
    const [one, two, three, four] = args;
    switch (`${one} ${two} ${three}`.replace(/ (?:--.*|undefined)$/, '')) {
      case 'whoami':
      case 'whoami --json':
        if (account.isStranger) return { code: 1, out: '\n{"loggedIn":false}\n', err: '' };
        return json({
          loggedIn: true,
          email: 'operator@chat.example',
          accounts: [{ id: 'acc', name: 'Ours' }],
        });
      case 'd1 list':
        return json(account.databases);
      case `d1 create ${three}`: {
        if (!change(`database ${three}`)) return server;
        account.databases.push({ uuid: `11111111-1111-4111-8111-00000000000${++made}`, name: three ?? '' });
        return ok(`✅ Successfully created DB '${three}'\nCreated your new D1 database.\n`);
      }
      case 'kv namespace list':
        return json(account.namespaces);
      case 'kv namespace create': {
        const title = env === undefined ? (four ?? '') : `${env}-${four}`;
        if (!change(`namespace ${title}`)) return server;
        account.namespaces.push({ id: `${++made}`.padStart(32, 'a'), title });
        return ok(`Resource location: remote \n\n🌀 Creating namespace with title "${title}"\n✨ Success!\n`);
      }
      case 'r2 bucket info':
        return account.buckets.includes(four ?? '')
          ? json({ name: four })
          : failed(
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
          ? failed(
              `Worker "${worker}" (env: ${env}) not found.\n\nIf this is a new Worker, run \`wrangler deploy\` first to create it.`,
            )
          : json([...secrets.keys()].map((name) => ({ name, type: 'secret_text' })));
      }
      case `secret put ${three}`: {
        if (account.newestAnswersNobody === true)
          return failed(
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
          : failed(`No sending subdomain found for ${four}.`);
      case 'email sending enable':
        if (!account.zones.some(({ name }) => name === four))
          return failed(`Could not find a zone for "${four}". Make sure the domain exists in your account.`);
        if (!change(`sender ${four}`)) return server;
        account.senders.set(four ?? '', 'tag');
        return ok(`Email Sending enabled for ${four} (enabled: true)\n`);
      default:
        return failed(`Unknown arguments: ${args.join(', ')}`);
    }
  }
  const wrangler = async (args: string[], options: { input?: string } = {}): Promise<Said> => {
    calls.push(args.join(' '));
    return say(args, options.input ?? '');
  };
  return Object.assign(wrangler, { calls });
}
