/** «A basic address pattern», the same as the server's; the contract itself would bring its validator along. */
const EMAIL_PATTERN = /^[^\s@<>"',;:]+@[^\s@<>"',;:]+\.[^\s@<>"',;:.]+$/;

export function isEmailAddress(text: string): boolean {
  return EMAIL_PATTERN.test(text.trim());
}

/** Whether an address, also a half-typed one, belongs to Google's mail: its users take another way in. */
export function isGmailAddress(text: string): boolean {
  return /@(gmail|googlemail)\./i.test(text);
}
