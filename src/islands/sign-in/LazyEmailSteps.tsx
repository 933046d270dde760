import type { MailSteps } from './EmailSteps.tsx';

let Steps: typeof MailSteps | null = null;

/**
 * Fetches the steps of the way in by a code, which the modal's first step does without.
 * @returns whether they are there
 */
export async function fetchMailSteps(): Promise<boolean> {
  try {
    Steps ??= (await import('./EmailSteps.tsx')).MailSteps;
    return true;
  } catch {
    return false;
  }
}

/** The steps, once they were fetched. */
export function FetchedMailSteps({ google }: { google: boolean }) {
  return Steps ? <Steps google={google} /> : null;
}
