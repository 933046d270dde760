/** A basic address pattern, the same as the server's. Importing the contract would pull zod into the bundle. */
const EMAIL_PATTERN = /^[^\s\p{C}@<>"',;:]+@[^\s\p{C}@<>"',;:]+\.[^\s\p{C}@<>"',;:.]+$/u;

export function isEmailAddress(text: string): boolean {
  return EMAIL_PATTERN.test(text.trim());
}

/** Whether a possibly incomplete address is a Gmail one. */
export function isGmailAddress(text: string): boolean {
  return /@(gmail|googlemail)\./i.test(text);
}
