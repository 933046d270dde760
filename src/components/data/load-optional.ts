import { log } from '../../lib/log.ts';
import { redactError } from '../../lib/redact.ts';

/**
 * Runs a read that the page can do without. A failure is logged and becomes null, so that the page can show a
 * message instead of failing.
 */
export async function loadOptional<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    log('page_data_failed', redactError(error));
    return null;
  }
}
