import file from '../../../../data/ai-notice-regions.json' with { type: 'json' };
import type { AiNoticeLaw } from './ai-notice-regions-schema.ts';

/** `everywhere`: the AI notice is bold for all users; `by_region`: where a law asks for it. */
export type AiNoticeMode = 'everywhere' | 'by_region';

/** How the AI notice looks. The sentence and its moments are the same. */
export type AiNoticeForm = 'bold' | 'calm';

/** Where a user's network is, as Cloudflare knows it; null when it is unknown, as on a site that runs on one machine. */
export interface NetworkPlace {
  country: string | null;
  /** The second part of the region's ISO 3166-2 code. */
  region: string | null;
}

const boldLaws: readonly AiNoticeLaw[] = file.laws.filter(({ bold }) => bold);

/**
 * Whether the AI notice has to be in bold capitals of 16 points. An unknown country counts as one where it has to be, and
 * an unknown region of a country as one of its regions where it has to be.
 * @param date an ISO 8601 date or time in UTC
 * @param laws those that prescribe bold capitals
 */
export const needsBoldNotice = (
  mode: AiNoticeMode,
  { country, region }: NetworkPlace,
  date: string,
  laws: readonly Pick<AiNoticeLaw, 'country' | 'region' | 'from'>[] = boldLaws,
): boolean =>
  mode === 'everywhere' ||
  country === null ||
  laws.some(
    (law) =>
      law.country === country &&
      (law.region === null || region === null || law.region === region) &&
      law.from <= date.slice(0, 10),
  );

/** Returns where a request comes from. Cloudflare reports `XX` and Tor's `T1` for unknown countries. */
export function readNetworkPlace({ headers, cf }: Pick<Request, 'headers' | 'cf'>): NetworkPlace {
  const country = headers.get('cf-ipcountry')?.toUpperCase() ?? '';
  const region = (cf as { regionCode?: unknown } | undefined)?.regionCode;
  return {
    country: /^[A-Z]{2}$/.test(country) && country !== 'XX' ? country : null,
    region: typeof region === 'string' && /^[A-Z0-9]{1,3}$/i.test(region) ? region.toUpperCase() : null,
  };
}

/** Returns how the AI notice looks for the author of a request. @param now milliseconds since 1970 */
export const getAiNoticeForm = (
  mode: AiNoticeMode,
  request: Pick<Request, 'headers' | 'cf'>,
  now: number,
): AiNoticeForm =>
  needsBoldNotice(mode, readNetworkPlace(request), new Date(now).toISOString()) ? 'bold' : 'calm';
