import type { EmailSteps } from './EmailSteps.tsx';

let Steps: typeof EmailSteps | null = null;

/**
 * Loads the email steps, which the modal's first step does not need.
 * @returns false if loading failed
 */
export async function loadEmailSteps(): Promise<boolean> {
  try {
    Steps ??= (await import('./EmailSteps.tsx')).EmailSteps;
    return true;
  } catch {
    return false;
  }
}

/** The email steps, after they are loaded. */
export function LazyEmailSteps({ google }: { google: boolean }) {
  return Steps ? <Steps google={google} /> : null;
}
