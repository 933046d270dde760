import { readFileSync } from 'node:fs';
import { localSecret } from '../../scripts/lib/prepare.mjs';
import { VARIABLES } from '../../src/env/variables.js';
import { findLeaks, readStoredTexts } from '../support/log-leak-check.ts';

/** What a Worker wrote and what it kept, with what it was started with. */
interface Told {
  stateDir: string;
  logFile: string;
  variables: Record<string, string>;
  codes?: Iterable<string>;
}

/** Throws with what a Worker's log tells of people: of all that they wrote, were called, or came in by, it may hold nothing. */
export function mustTellNobody({ stateDir, logFile, variables, codes = [] }: Told): void {
  const secrets = Object.entries(variables).flatMap(([name, value]) =>
    VARIABLES[name]?.secret ? value : [],
  );
  const leaks = findLeaks(readFileSync(logFile, 'utf8'), {
    texts: readStoredTexts(stateDir),
    codes,
    secrets: [...secrets, localSecret(stateDir)],
  });
  if (leaks.length > 0) throw new Error(['The Worker’s log tells of people:', ...leaks].join('\n'));
}

/** The login codes in the local mailbox: they are stored nowhere else. */
export async function sentCodes(origin: string): Promise<string[]> {
  const box = `${origin}/cdn-cgi/local/explorer/api/local/email/sending`;
  const { result } = (await (await fetch(box)).json()) as { result: { messageId: string }[] };
  const codes: string[] = [];
  for (const { messageId } of result) {
    const mail = await (await fetch(`${box}?email_id=${encodeURIComponent(messageId)}`)).json();
    codes.push(...(/\b\d{6}\b/g.exec((mail as { result: { text: string } }).result.text) ?? []));
  }
  return codes;
}
