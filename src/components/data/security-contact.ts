/** How long what is said there may be believed; RFC 9116 asks for less than a year. */
const VALID_FOR_DAYS = 180;
const DAY_MS = 86_400_000;

/**
 * Where whoever found a hole tells of it, as programs read it (RFC 9116).
 * @param origin of the site as its operator names it
 * @param now its date is that of the day, so that the text is the same all day
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
