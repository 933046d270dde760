/** «A basic address pattern», the same as the server's; the contract itself would bring its validator along. */
const EMAIL_PATTERN = /^[^\s@<>"',;:]+@[^\s@<>"',;:]+\.[^\s@<>"',;:.]+$/;

export function isEmailAddress(text: string): boolean {
  return EMAIL_PATTERN.test(text.trim());
}

/** Whether an address, also a half-typed one, belongs to Google's mail: its users take another way in. */
export function isGmailAddress(text: string): boolean {
  return /@(gmail|googlemail)\./i.test(text);
}

/**
 * A path of this site to go on to, or null for anything that would lead elsewhere.
 * @param next as it came in options or an address
 */
export function ownPath(next: string | undefined): string | null {
  if (!next?.startsWith('/')) return null;
  const origin = 'https://own.invalid';
  try {
    const url = new URL(next, origin);
    return url.origin === origin ? url.pathname + url.search + url.hash : null;
  } catch {
    return null;
  }
}
