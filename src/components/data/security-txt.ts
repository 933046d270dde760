/** Validity of the file; RFC 9116 recommends less than a year. */
const VALID_FOR_DAYS = 180;
const DAY_MS = 86_400_000;

/**
 * The contents of security.txt, the contact for security reports (RFC 9116).
 * @param origin the site's origin, as the operator configured it
 * @param now rounded down to the day, so that the text is the same all day
 */
export function buildSecurityContact({
  email,
  origin,
  now,
}: {
  email: string;
  origin: string;
  now: number;
}): string {
  const expires = new Date(Math.floor(now / DAY_MS) * DAY_MS + VALID_FOR_DAYS * DAY_MS);
  return [
    `Contact: mailto:${encodeURI(email)}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${origin}/.well-known/security.txt`,
    '',
  ].join('\n');
}
