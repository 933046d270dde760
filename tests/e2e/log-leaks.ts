import { readFileSync } from 'node:fs';
import { localSecret } from '../../scripts/lib/prepare.mjs';
import { getVariables } from '../../src/env/schema.js';
import { findLeaks, readStoredTexts } from '../support/log-leak-check.ts';

/** A Worker's log and stored state, and the variables that it was started with. */
interface WorkerOutput {
  stateDir: string;
  logFile: string;
  variables: Record<string, string>;
  codes?: Iterable<string>;
}

/** Throws if a Worker's log contains personal data: texts or names of users, login codes or secrets. */
export function assertNoLeaks({ stateDir, logFile, variables, codes = [] }: WorkerOutput): void {
  const secrets = Object.entries(variables).flatMap(([name, value]) =>
    getVariables()[name]?.secret ? value : [],
  );
  const leaks = findLeaks(readFileSync(logFile, 'utf8'), {
    texts: readStoredTexts(stateDir),
    codes,
    secrets: [...secrets, localSecret(stateDir)],
  });
  if (leaks.length > 0) throw new Error(['The Worker’s log tells of people:', ...leaks].join('\n'));
}

/** Reads the login codes from the local mailbox, the only place where they are stored. */
export async function readLoginCodes(origin: string): Promise<string[]> {
  const box = `${origin}/cdn-cgi/local/explorer/api/local/email/sending`;
  const { result } = (await (await fetch(box)).json()) as { result: { messageId: string }[] };
  const codes: string[] = [];
  for (const { messageId } of result) {
    const mail = await (await fetch(`${box}?email_id=${encodeURIComponent(messageId)}`)).json();
    codes.push(...(/\b\d{6}\b/g.exec((mail as { result: { text: string } }).result.text) ?? []));
  }
  return codes;
}
