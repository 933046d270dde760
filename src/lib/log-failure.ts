import { log, type LogEvent } from './log.ts';
import { describeError } from './redact.ts';

/** Logs a failure without any message text. */
export function logFailure(event: LogEvent, error: unknown): void {
  log(event, { message: describeError(error) });
}

/** Runs a save whose failure must not stop what follows. */
export function saveOrLog(event: LogEvent, save: () => void): void {
  try {
    save();
  } catch (error) {
    logFailure(event, error);
  }
}
