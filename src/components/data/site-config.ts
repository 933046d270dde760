import { env } from 'cloudflare:workers';
import { readEnvironment } from '../../env/read-environment.ts';
import type { GoogleSignInConfig } from '../../islands/sign-in/sign-in-state.ts';

/** What the pages tell about whoever runs this site. */
export interface SiteConfig {
  /** Where people may write to; null when the operator gave no address. */
  supportEmail: string | null;
  /** Where the people of this site meet elsewhere. */
  communityLinks: readonly { name: string; url: string }[];
  /** The measurement id, when the operator turned Google Analytics on. */
  googleAnalyticsId: string | null;
  /** What a page needs to offer Google's sign-in; null where the operator did not set it up. */
  googleSignIn: GoogleSignInConfig | null;
  /** Whether memberships can be paid for here. */
  sells: boolean;
  /** Where the script is by which they are paid for; null where they cannot be. */
  paymentScripts: string | null;
  /** By what people turn spicy mode on: their word, or a check of their age. `off`: nothing for adults is here. */
  spicyMode: 'off' | 'declared' | 'checked';
}

/**
 * Reads the operator's own settings.
 * @throws Error that names a variable that is missing or wrong, as `readEnvironment` does
 */
export function readSiteConfig(): SiteConfig {
  const settings = readEnvironment(env);
  const { supportEmail = null, communityLinks, googleAnalyticsId = null, google, ageCheck } = settings;
  return {
    supportEmail,
    communityLinks,
    googleAnalyticsId,
    googleSignIn: google
      ? {
          clientId: google.clientId,
          script: google.script,
          userInfo: google.userInfo,
          page: google.clientSecret !== undefined,
        }
      : null,
    sells: settings.paypal !== undefined,
    paymentScripts: settings.paypal?.sdkBase ?? null,
    spicyMode: settings.spicyMode === 'off' ? 'off' : ageCheck.mode === 'required' ? 'checked' : 'declared',
  };
}
