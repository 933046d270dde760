/** Why a visitor who started a chat could not become a guest, for the chat page that this tab opens next. */
const STORAGE_KEY = 'start-refusal';

/** @param code the error code */
export function saveStartRefusal(code: string): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, code);
  } catch {
    // Storage is blocked: the chat page asks to log in without the reason.
  }
}

/** Returns the error code once; null when no start was refused. */
export function extractStartRefusal(): string | null {
  try {
    const code = sessionStorage.getItem(STORAGE_KEY);
    sessionStorage.removeItem(STORAGE_KEY);
    return code;
  } catch {
    return null;
  }
}
