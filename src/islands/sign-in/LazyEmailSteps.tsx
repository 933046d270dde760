import type { EmailSteps } from './EmailSteps.tsx';

let Steps: typeof EmailSteps | null = null;

/**
 * Fetches the steps of the way in by a code, which the modal's first step does without.
 * @returns whether they are there
 */
export async function loadEmailSteps(): Promise<boolean> {
  try {
    Steps ??= (await import('./EmailSteps.tsx')).EmailSteps;
    return true;
  } catch {
    return false;
  }
}

/** The steps, once they were fetched. */
export function LazyEmailSteps({ google }: { google: boolean }) {
  return Steps ? <Steps google={google} /> : null;
}
